/** Carries out clicks: the left button acts on a target, the right one opens a menu of what can be done with it. */
import { detachClicked } from '../commands/attach.ts';
import { coach } from '../commands/coach.ts';
import type { Command } from '../commands/command.ts';
import { takeCompletion } from '../commands/completion.ts';
import type { CommandContext } from '../commands/context.ts';
import { askAboutLink } from '../commands/copy.ts';
import { invoke } from '../commands/invoke.ts';
import { jumpToMessage } from '../commands/jump-to.ts';
import { openMenu } from '../commands/menu.ts';
import { openAndWrite } from '../commands/open-conversation.ts';
import { toggleReaction } from '../commands/react.ts';
import { showPerson } from '../commands/sheets.ts';
import type { ConversationId, MessageId } from '../protocol/types.ts';
import type { AppState } from '../state/model/app-state.ts';
import { selectThreadItems } from '../state/select/selectors.ts';
import { selectCompletion } from '../state/view/composer.ts';
import { clearFilter, selectInList } from '../state/view/list-place.ts';
import { dropNotice } from '../state/view/notices.ts';
import { selectMessage } from '../state/view/thread-place.ts';
import { setFocus } from '../state/view/view.ts';
import type { Target } from '../text/layout/row.ts';

interface ClickOptions {
  readonly context: CommandContext;
  readonly keymap: { readonly commands: readonly Command[] };
}

type Of<Kind extends Target['kind']> = Extract<Target, { kind: Kind }>;
type Acts = { readonly [Kind in Target['kind']]: (options: ClickOptions, target: Of<Kind>) => void };

/** The frame on the terminal may be older than the state, so that a target may be gone: then nothing happens. */
export const actOn = (options: ClickOptions, target: Target): void =>
  (left[target.kind] as (options: ClickOptions, target: Target) => void)(options, target);

export function runCommand({ context, keymap }: ClickOptions, id: string): void {
  const command = keymap.commands.find((one) => one.id === id);
  if (command !== undefined) invoke(context, command);
}

/** Runs the command of a click that is not on a message; the coach may name the key that does the same. */
function clickCommand(options: ClickOptions, id: string): void {
  const { context, keymap } = options;
  const command = keymap.commands.find((one) => one.id === id);
  const before = context.get();
  if (command !== undefined && invoke(context, command)) coach(context, command, 'click', before);
}

const left: Acts = {
  completion({ context }, { row, text }) {
    if (selectCompletion(context.get())?.rows[row]?.text === text) takeCompletion(context, row);
  },
  command: (options, { id }) => clickCommand(options, id),
  notice: ({ context }, { about }) => context.update(dropNotice(about)),
  conversation({ context }, { conversationId }) {
    if (!context.get().cache.conversations.has(conversationId)) return;
    // As Enter does: a filter that stays would hide the other conversations from all keys that go through the list.
    context.update((state) => clearFilter(selectInList(conversationId)(state)));
    openAndWrite(context, conversationId);
  },
  attached: ({ context }, target) => detachClicked(context, target),
  person: ({ context }, { of }) => showPerson(context, of),
  address: ({ context }, { address }) => askAboutLink(context, address),
  jump({ context }, { messageId }) {
    const { openId } = context.get().view;
    if (openId !== null) jumpToMessage(context, openId, messageId, { words: 'the message', keepsComposer: true });
  },
  message: ({ context }, { messageId }) => void selectTarget(context, messageId),
  'message-command': (options, { messageId, id }) => onPart(options.context, messageId, () => runCommand(options, id)),
  link: ({ context }, { messageId, address }) => onPart(context, messageId, () => askAboutLink(context, address)),
  reaction: ({ context }, { messageId, name }) =>
    onPart(context, messageId, (openId) => toggleReaction(context, openId, messageId, name)),
};

/** Selects the message; returns false where it is not there any more. */
function selectTarget(context: CommandContext, messageId: MessageId): boolean {
  const { openId } = context.get().view;
  if (openId === null || !isThere(context.get(), openId, messageId)) return false;
  context.update((state) => setFocus('messages')(selectMessage(openId, messageId)(state)));
  return true;
}

const isThere = (state: AppState, openId: ConversationId, messageId: MessageId): boolean =>
  selectThreadItems(state, openId).some(({ id }) => id === messageId);

/**
 * Acts on a part of a message, which is selected for that. While the composer has the keyboard, somebody may be writing: it
 * keeps the keyboard, and what was selected before is selected again.
 */
function onPart(context: CommandContext, messageId: MessageId, act: (openId: ConversationId) => void): void {
  const { view, screen } = context.get();
  const { openId, places } = view;
  if (openId === null || !isThere(context.get(), openId, messageId)) return;
  const isWriting = screen.focus === 'composer';
  context.update(selectMessage(openId, messageId));
  if (!isWriting) context.update(setFocus('messages'));
  act(openId);
  if (isWriting) context.update(selectMessage(openId, places.get(openId)?.selectedId ?? null));
}

/** Carries out the right button: opens the menu of what is under the pointer. */
export function openMenuOf(options: ClickOptions, target: Target): void {
  const { context } = options;
  const { cache, view } = context.get();
  if (target.kind === 'conversation') {
    const { conversationId } = target;
    if (!cache.conversations.has(conversationId)) return;
    context.update(selectInList(conversationId));
    openMenu(context, 'conversation', { conversationId, itemId: null });
  } else if (target.kind === 'person') showPerson(context, target.of);
  else if (target.kind === 'notice') runCommand(options, 'notices.open');
  else if (target.kind === 'attached') runCommand(options, 'message.attach');
  else if (target.kind === 'command' && target.id === 'list.views') runCommand(options, 'list.views');
  else if ('messageId' in target && view.openId !== null && selectTarget(context, target.messageId))
    openMenu(context, 'message', { conversationId: view.openId, itemId: target.messageId });
}
