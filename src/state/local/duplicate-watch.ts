/** Messages that the user had sent again while the first attempt was in doubt: both may arrive (R-SEND-1). */
import { compareText, isSame } from '../../protocol/same-text.ts';
import type { ConversationId, Message, MessageId } from '../../protocol/types.ts';
import type { AppState, Op, Resent } from '../model/app-state.ts';
import { mayHaveArrived } from '../model/op-state.ts';
import type { Transition } from '../store.ts';
import { ownership } from './outbox.ts';

/**
 * So long is a second copy looked for after the first one was found. A request that a server still carries out a week
 * after it was made is beyond any queue that such services have; the record would else be kept for ever.
 */
export const watchedForMs = 7 * 86_400_000;

/** What is to be watched once `op` has been found as `messageId`; null when only one of its attempts can have arrived. */
export function resentOf(op: Op, messageId: MessageId, now: number): Resent | null {
  const { action, uuid, baseline, attempts } = op;
  if (action.kind !== 'message.send' || baseline === null) return null;
  if (attempts.filter(mayHaveArrived).length < 2) return null;
  const { conversationId, text } = action;
  return { uuid, conversationId, text, sameText: baseline.sameText, found: messageId, at: now, twin: null };
}

export const putResent =
  (entry: Resent): Transition =>
  (state) => {
    const others = state.local.resent.filter(({ uuid }) => uuid !== entry.uuid);
    return { ...state, local: { ...state.local, resent: [...others, entry] } };
  };

export const dropResent =
  (uuid: string): Transition =>
  (state) =>
    state.local.resent.some((entry) => entry.uuid === uuid)
      ? { ...state, local: { ...state.local, resent: state.local.resent.filter((entry) => entry.uuid !== uuid) } }
      : state;

export const resentIn = (state: AppState, id: ConversationId): readonly Resent[] =>
  state.local.resent.filter(({ conversationId }) => conversationId === id);

/** The second copy: ours, with this text, new since the first attempt, and no other op's. */
export function findDuplicate(
  state: AppState,
  entry: Resent,
  rows: readonly Message[],
  claims: ReadonlySet<MessageId>,
): Message | null {
  const foundAs = rows.find(({ id }) => id === entry.found)?.text;
  const isTwin = (message: Message): boolean =>
    message.id !== entry.found &&
    !entry.sameText.includes(message.id) &&
    !claims.has(message.id) &&
    (isSame(compareText(entry.text, message.text)) || message.text === foundAs) &&
    ownership(message, state) === 'own' &&
    (message.createdAt ?? entry.at) > entry.at - watchedForMs;
  return rows.find(isTwin) ?? null;
}
