/**
 * The outbox in the state: its transitions, the ops of a conversation, which of them wait, and edits that met a changed
 * text.
 */
import type { ConversationId } from '../../protocol/types.ts';
import { conversationOf } from '../cache/conversations.ts';
import type { AppState, Op } from '../model/app-state.ts';
import type { Transition } from '../store.ts';
import { patchLocal } from './records.ts';

const none: readonly Op[] = [];
const byConversation = new WeakMap<readonly Op[], ReadonlyMap<ConversationId | null, readonly Op[]>>();

/** The ops of one conversation in order; the same array while the outbox does not change. */
export function opsOf(state: AppState, id: ConversationId): readonly Op[] {
  const outbox = state.local.outbox;
  if (outbox.length === 0) return none;
  let index = byConversation.get(outbox);
  if (index === undefined) {
    const made = new Map<ConversationId | null, Op[]>();
    for (const op of outbox) {
      const list = made.get(conversationOf(op));
      if (list === undefined) made.set(conversationOf(op), [op]);
      else list.push(op);
    }
    index = made;
    byConversation.set(outbox, index);
  }
  return index.get(id) ?? none;
}

/** The op of the outbox with this UUID; undefined once it has left. */
export const opByUuid = ({ local }: AppState, uuid: string): Op | undefined =>
  local.outbox.find((op) => op.uuid === uuid);

/** No setting of the time for taking back is longer; another process of this profile may have another one. */
const longestHoldMs = 10_000;

/** Until when the op waits so that its author can take it back; 0 for one that waits after a failed attempt. */
export const undoDeadline = ({ attempts, reason, notBefore, created }: Op): number =>
  attempts.length === 0 && reason === null ? Math.min(notBefore, created + longestHoldMs) : 0;

/** The newest message of the conversation that its author can still take back; null when there is none. */
export const undoableSend = (state: AppState, id: ConversationId, now: number): Op | null =>
  opsOf(state, id).findLast(
    (op) => op.action.kind === 'message.send' && op.state === 'queued' && undoDeadline(op) > now,
  ) ?? null;

/** The earlier message of its conversation that a message waits for, since it is not known whether that one arrived. */
export function heldBackBy({ state, seq, action }: Op, ops: readonly Op[]): Op | undefined {
  if (state !== 'queued' || action.kind !== 'message.send') return undefined;
  const first = holdingIn(ops).get(action.conversationId);
  return first !== undefined && first.seq < seq ? first : undefined;
}

export const isHeldBack = (op: Op, ops: readonly Op[]): boolean => heldBackBy(op, ops) !== undefined;

const holding = new WeakMap<readonly Op[], ReadonlyMap<ConversationId, Op>>();

/** The first message of each conversation that is unsure and holds back later ones. Thousands may wait for it. */
function holdingIn(ops: readonly Op[]): ReadonlyMap<ConversationId, Op> {
  const held = holding.get(ops);
  if (held !== undefined) return held;
  const made = new Map<ConversationId, Op>();
  for (const op of ops) {
    const { state, action } = op;
    if (state !== 'unsure' || action.kind !== 'message.send' || !holdsBack(op)) continue;
    if (!made.has(action.conversationId)) made.set(action.conversationId, op);
  }
  holding.set(ops, made);
  return made;
}

/** Adds an op that is on disk already. */
export const addOp =
  (op: Op): Transition =>
  (state) =>
    state.local.outbox.some((held) => held.uuid === op.uuid)
      ? state
      : patchLocal(state, { outbox: [...state.local.outbox, op].sort((a, b) => a.seq - b.seq) });

/** Replaces the op of the same uuid; does nothing when there is none. */
export const replaceOp =
  (op: Op): Transition =>
  (state) =>
    state.local.outbox.some((held) => held.uuid === op.uuid && held !== op)
      ? patchLocal(state, { outbox: state.local.outbox.map((held) => (held.uuid === op.uuid ? op : held)) })
      : state;

/** Takes the op out; does nothing when there is none with this UUID. */
export const removeOp =
  (uuid: string): Transition =>
  (state) =>
    state.local.outbox.some((op) => op.uuid === uuid)
      ? patchLocal(state, { outbox: state.local.outbox.filter((op) => op.uuid !== uuid) })
      : state;

/** Whether later writes to the same target wait for the op. */
export const holdsBack = (op: Op): boolean =>
  op.state !== 'failed' && !(op.state === 'unsure' && op.skippedInOrder === true);

/** The evidence of an edit that met another text than the one that was opened. */
export const changedMeanwhile = 'changed meanwhile';

/** Whether an edit met a text that somebody else has changed: the user chooses one of the texts, or both (R-PUT-1). */
export const isEditConflict = ({ state, attempts }: Op): boolean =>
  state === 'failed' && attempts.at(-1)?.evidence === changedMeanwhile;

/** The evidence of an edit whose message the server no longer has. */
export const messageNotFound = 'not-found';

/** Whether an edit came too late for its message: the text can only be sent as a new message. */
export const isEditOfDeleted = ({ state, action, attempts }: Op): boolean =>
  state === 'failed' && action.kind === 'message.edit' && attempts.at(-1)?.evidence === messageNotFound;
