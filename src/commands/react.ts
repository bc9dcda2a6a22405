/**
 * Gives and takes back reactions; asks first where a server whose rule is unknown might replace others' reactions.
 */

import { isSendableReactionName } from '../protocol/fields.ts';
import { areAllNamed } from '../protocol/reactions.ts';
import { policyOf } from '../protocol/server-policy.ts';
import type { ConversationId } from '../protocol/types.ts';
import type { AppState, Overlay } from '../state/model/app-state.ts';
import { isEmojiName, numberedReactions, selectReactionChoices } from '../state/search/picker-choices.ts';
import { cutMessageText, unnamedReactorsText, unsentOfOthers } from '../state/select/reactions.ts';
import { type MessageItem, selectSelectedItem } from '../state/select/selectors.ts';
import { popOverlay, pushOverlay, topOverlay } from '../state/view/overlays.ts';
import { patchView } from '../state/view/view.ts';
import type { CommandContext } from './context.ts';
import { enqueueReaction } from './enqueue-reaction.ts';
import { rememberAction } from './invoke.ts';
import { notify } from './notify.ts';
import { type Parameter, position } from './parameters.ts';
import { ask } from './questions.ts';
import { itemOf } from './selection.ts';

export const reactionPicker = {
  rowIds: (state: AppState): readonly string[] => selectReactionChoices(state).map(({ name }) => name),
  accept(context: CommandContext, picker: Extract<Overlay, { kind: 'reaction-picker' }>): void {
    const choice = selectReactionChoices(context.get())[picker.selected];
    if (choice === undefined) return;
    context.update(popOverlay);
    toggleReaction(context, picker.conversationId, picker.messageId, choice.name);
  },
};

export const reaction: Parameter<string | null> = {
  expects: 'the name of a reaction, such as heart',
  parse: (word) => (isSendableReactionName(word) ? word : undefined),
  otherwise: null,
};

/**
 * Gives the selected message the reaction or takes it back. The picker is opened without a name, and for a name that is no
 * emoji and not on the message, which may be mistyped.
 */
export function react(context: CommandContext, { reaction: name }: { readonly reaction: string | null }): void {
  const item = selectSelectedItem(context.get());
  const { openId } = context.get().view;
  if (item?.kind !== 'message' || openId === null) return;
  const picker = {
    kind: 'reaction-picker',
    conversationId: openId,
    messageId: item.id,
    reactionsThen: namesOf(item),
    typed: '',
    selected: 0,
  } as const;
  const { lastAction = null } = context.get().view;
  const wasGivenLast = lastAction?.id === 'message.react' && lastAction.words[0] === name;
  const isMeant = wasGivenLast || item.reactions.some((held) => held.name === name);
  if (name === null) context.update(pushOverlay(picker));
  else if (!isMeant && !isEmojiName(name)) context.update(pushOverlay({ ...picker, typed: name }));
  else toggleReaction(context, openId, item.id, name);
}

const namesOf = ({ reactions }: MessageItem): readonly string[] => reactions.map(({ name }) => name);

export const numberOrNone: Parameter<number | null> = { ...position, otherwise: null };

/** A number pressed again within this time takes back what it gave. */
const sameNumberMs = 10_000;

/**
 * Toggles the nth reaction of the selected message, from 1; the quick ones follow those that it has. A number that was just
 * used on the message means the same reaction again, which may have another number by now. Without a number, the picker is
 * opened.
 */
export function reactNth(context: CommandContext, { position: nth }: { readonly position: number | null }): void {
  const state = context.get();
  const item = selectSelectedItem(state);
  if (item?.kind !== 'message') return;
  const { lastNumberedReaction: last } = state.view;
  const now = context.now();
  const isRecent = last !== undefined && now - last.at <= sameNumberMs;
  const isAgain = isRecent && last.messageId === item.id && last.position === nth;
  const name = nth === null ? null : isAgain ? last.name : numberedReactions(namesOf(item))[nth - 1];
  if (name === undefined) notify(context, 'There is no reaction with this number', { isRefusal: true });
  else react(context, { reaction: name });
  if (nth === null || name == null) return;
  context.update((held) =>
    patchView(held, { lastNumberedReaction: { messageId: item.id, position: nth, name, at: now } }),
  );
}

/** Takes the row of the picker with this digit while nothing is typed. False where the digit is text. */
export function takeNumberedReaction(context: CommandContext, digit: string): boolean {
  const state = context.get();
  const top = topOverlay(state);
  if (top?.kind !== 'reaction-picker' || top.typed !== '' || !/^[1-9]$/.test(digit)) return false;
  const selected = Number(digit) - 1;
  if (selected >= selectReactionChoices(state).length) return false;
  reactionPicker.accept(context, { ...top, selected });
  return true;
}

/** Toggles the user's own reaction. Another name of a reaction that is already there counts as that reaction. */
export function toggleReaction(
  context: CommandContext,
  conversationId: ConversationId,
  messageId: string,
  name: string,
): void {
  rememberAction(context, 'message.react', [name]);
  const state = context.get();
  const item = itemOf(state, conversationId, messageId);
  if (item?.kind !== 'message') {
    notify(context, 'The message is gone; nothing was sent');
    return;
  }
  if (item.message.isCut === true) {
    notify(context, cutMessageText);
    return;
  }
  if (!areAllNamed(item.message.reactions)) {
    notify(context, unnamedReactorsText);
    return;
  }
  if (!mayTakeFromOthers(state, item)) {
    enqueueReaction(context, { conversationId, item, reaction: name, isConfirmed: false });
    return;
  }
  ask(context, 'react.unknown-rule', { conversationId, messageId, textThen: item.message.text, reaction: name });
}

/** Whether reacting may cost others their reactions, or a message of somebody else its text and files (R-REACT, rule 4). */
export function mayTakeFromOthers(
  { local }: AppState,
  item: Pick<MessageItem, 'reactions' | 'isOwn' | 'message'>,
): boolean {
  const { reactions, putMessage } = policyOf(local.capabilities);
  const hasOthers = item.reactions.some(({ count, isMine }) => count > Number(isMine));
  if (hasOthers && reactions.asksBeforeRisk) return true;
  return !item.isOwn && unsentOfOthers(putMessage, item.message) !== null;
}
