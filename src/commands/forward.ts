/** Forward (w): sends the selected message or the marked ones to other conversations, as quotes with author and time. */
import type { AppState } from '../state/model/app-state.ts';
import { openNamePrompt } from '../state/search/name-prompt.ts';
import { selectMarked } from '../state/select/marked.ts';
import { forwardedContent } from '../state/select/message-texts.ts';
import { type MessageItem, selectSelectedItem } from '../state/select/selectors.ts';
import { replaceOverlay, topOverlay } from '../state/view/overlays.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { destinationsOf, type ForwardPrompt, forward } from './forwarding.ts';
import { ask } from './questions.ts';
import { noMessageSelected } from './selection.ts';

/** Forwarding to more conversations than this is confirmed first. */
const withoutQuestion = 3;

function itemsToForward(state: AppState): readonly MessageItem[] {
  const marked = selectMarked(state);
  if (marked.length > 0) return marked;
  const item = selectSelectedItem(state);
  return item?.kind === 'message' ? [item] : [];
}

function forwardReason(state: AppState): string | null {
  const items = itemsToForward(state);
  if (items.length === 0)
    return selectSelectedItem(state) === null ? noMessageSelected : 'This message has not been sent yet';
  return items.some(({ message }) => message.isTruncated === true)
    ? 'Only the beginning of this message is held; forwarding would cut it'
    : null;
}

function openForward(context: CommandContext): void {
  const state = context.get();
  const { openId } = state.view;
  if (openId === null) return;
  const items = itemsToForward(state);
  const content = forwardedContent(state, items, context.now());
  context.update(openNamePrompt('forward', { content, messages: items.length, from: openId, chosen: [] }));
}

function isFound(state: AppState): boolean {
  const top = topOverlay(state);
  return top?.kind === 'forward' && top.result.rows.length > 0;
}

/** Chooses the conversation of the selected row, or leaves it out again. */
function choose(context: CommandContext): void {
  context.update((state) => {
    const top = topOverlay(state);
    if (top?.kind !== 'forward' || top.forwarding == null) return state;
    const id = top.result.rows[top.selected]?.conversationId ?? null;
    if (id === null) return state;
    const { chosen } = top.forwarding;
    const next = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id];
    return replaceOverlay({ ...top, isMoved: true, forwarding: { ...top.forwarding, chosen: next } })(state);
  });
}

export const forwardPrompt = {
  rowIds: (_: AppState, { result }: ForwardPrompt): readonly string[] => result.rows.map(({ key }) => key),
  accept(context: CommandContext, prompt: ForwardPrompt): void {
    if (destinationsOf(prompt).length > withoutQuestion) ask(context, 'message.forward');
    else forward(context);
  },
};

export const forwardCommands: readonly Command[] = [
  {
    id: 'message.forward',
    group: 'Messages',
    where: ['messages'],
    title: 'Forward the message, or the marked ones',
    hint: 'forward',
    keys: ['w'],
    disabled: forwardReason,
    run: openForward,
  },
  {
    id: 'forward.choose',
    group: 'Dialogs',
    where: ['forward'],
    title: 'Forward there too, or not',
    hint: (state) => (isFound(state) ? 'choose several' : ''),
    keys: ['tab'],
    run: choose,
  },
];
