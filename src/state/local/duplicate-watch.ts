/** Messages that were sent again while the first attempt was in doubt, so that both may arrive (R-SEND-1). */
import { compareText, hasSameFiles, isSame } from '../../protocol/same-text.ts';
import type { ConversationId, Message, MessageId } from '../../protocol/types.ts';
import { withEntry, withoutEntry } from '../collections/sharded-map.ts';
import type { AppState, Op, Resent } from '../model/app-state.ts';
import { mayHaveArrived } from '../model/op-state.ts';
import type { Transition } from '../store.ts';
import { ownership } from './identity.ts';
import { patchLocal } from './records.ts';

/** How long a second copy is looked for: no queue carries a request out a week late. */
export const watchedForMs = 7 * 86_400_000;

/** The record to watch by, once `op` was found as `messageId`; null when only one of its attempts can have arrived. */
export function resentOf(op: Op, messageId: MessageId, now: number): Resent | null {
  const { action, uuid, baseline, attempts } = op;
  if (action.kind !== 'message.send' || baseline === null) return null;
  if (attempts.filter(mayHaveArrived).length < 2) return null;
  const { kind: _, ...sent } = action;
  return { uuid, ...sent, sameText: baseline.sameText, found: messageId, at: now, duplicateId: null };
}

export const putResent =
  (entry: Resent): Transition =>
  (state) =>
    patchLocal(state, { resent: withEntry(state.local.resent, entry.uuid, entry) });

export const dropResent =
  (uuid: string): Transition =>
  (state) =>
    patchLocal(state, { resent: withoutEntry(state.local.resent, uuid) });

export const resentIn = (state: AppState, id: ConversationId): readonly Resent[] =>
  [...state.local.resent.values()].filter(({ conversationId }) => conversationId === id);

/** The second copy among `rows`: the user's, with this text and these files, new since then, claimed by no other op. */
export function findDuplicate(
  state: AppState,
  entry: Resent,
  rows: readonly Message[],
  claims: ReadonlySet<MessageId>,
): Message | null {
  const foundAs = rows.find(({ id }) => id === entry.found)?.text;
  const isDuplicate = (message: Message): boolean =>
    message.id !== entry.found &&
    !entry.sameText.includes(message.id) &&
    !claims.has(message.id) &&
    hasSameFiles(entry, message.attachments) &&
    (isSame(compareText(entry.text, message.text)) || message.text === foundAs) &&
    ownership(message, state) === 'own' &&
    (message.createdAt ?? entry.at) > entry.at - watchedForMs;
  return rows.find(isDuplicate) ?? null;
}
