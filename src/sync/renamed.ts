/**
 * Messages that a server lists by another id than it answered when they were sent: the one must not stand there twice,
 * nor be taken for another message with the same words whose answer never came.
 */
import { isAddressable } from '../protocol/id.ts';
import { compareText, isSame } from '../protocol/same-text.ts';
import type { ConversationId, Message, MessageId } from '../protocol/types.ts';
import { updateDraft } from '../state/drafts.ts';
import { isOwn, opsOf } from '../state/outbox.ts';
import { putResent, resentIn } from '../state/resent.ts';
import type { AppState, Op, OpAction } from '../state/state.ts';
import type { Transition } from '../state/store.ts';
import { removeMessages } from '../state/thread.ts';
import { compareMessages } from '../state/thread-order.ts';
import { followItem } from '../state/thread-place.ts';
import { changeOp } from './change-op.ts';
import { apiError, durably, type SyncContext, stateOf } from './context.ts';
import { lookFor } from './exchange-message.ts';
import { isJustSent } from './young.ts';

interface Renamed {
  readonly from: MessageId;
  readonly to: Message;
}

interface Pair {
  readonly from: Message;
  readonly to: Message;
  /** As many messages as rows are like them: none of either is still to come. */
  readonly isPlain: boolean;
}

export interface Renamings {
  readonly done: readonly Renamed[];
  /** Rows that may be a message known by another id: nothing is to be concluded from them yet. */
  readonly open: ReadonlySet<MessageId>;
}

/** Servers give both ids to one and the same moment, or nearly so. */
export const apartMs = 60_000;
/** Nobody sends the same, or starts the same conversation, twice within so little. */
export const sameMomentMs = 2_000;
const none: Renamings = { done: [], open: new Set() };

/**
 * `rows` lack `missing`. That one of those is there by another id is believed when the server does not know it by the old
 * one any more, or lists only the new one for longer than lists lag behind.
 */
export async function findRenamed(
  context: SyncContext,
  id: ConversationId,
  rows: readonly Message[],
  missing: readonly Message[],
): Promise<Renamings> {
  if (missing.length === 0) return none;
  const pairs = pair(context, id, rows, missing);
  const done: Renamed[] = [];
  for (const one of pairs) {
    const { from, to } = one;
    if (!isSureEnough(context, id, one)) continue;
    const isTold = await isElsewhere(context, from.id);
    if (isTold || (isTold !== null && !isJustSent(context, from))) done.push({ from: from.id, to });
  }
  const open = pairs.map(({ to }) => to.id).filter((one) => !done.some(({ to }) => to.id === one));
  return { done, open: new Set(open) };
}

/** What answers to sends have named, beside rows that nothing has claimed: the earliest with the earliest. */
function pair(
  context: SyncContext,
  id: ConversationId,
  rows: readonly Message[],
  missing: readonly Message[],
): readonly Pair[] {
  const state = stateOf(context);
  const claims = context.outbox.claims(id);
  const sent = missing.filter((message) => claims.has(message.id) && isAddressable(message.id));
  if (sent.length === 0) return [];
  const free = rows.filter((row) => !claims.has(row.id) && isOwn(row, state)).sort(compareMessages);
  const left = [...free];
  return sent.flatMap((from) => {
    const at = left.findIndex((to) => isLike(from, to));
    const [to] = at < 0 ? [] : left.splice(at, 1);
    if (to === undefined) return [];
    const rivals = sent.filter((one) => isLike(one, to)).length + mayBePosted(state, id, to);
    return [{ from, to, isPlain: rivals === free.filter((row) => isLike(from, row)).length }];
  });
}

const isLike = (from: Message, to: Message): boolean =>
  isSame(compareText(from.text, to.text)) && apart(from, to) <= apartMs;

const apart = (from: Message, to: Message): number => Math.abs((from.createdAt ?? 0) - (to.createdAt ?? 0));

/** Sends of these words of which nobody knows what became of them. */
const mayBePosted = (state: AppState, id: ConversationId, to: Message): number =>
  opsOf(state, id).filter(
    ({ action, attempts }) =>
      action.kind === 'message.send' &&
      isSame(compareText(action.text, to.text)) &&
      attempts.some(({ outcome }) => outcome === null || outcome === 'A'),
  ).length;

/**
 * One that is to be deleted takes the row with it, so that it must be no other: the row has its words and its time, nothing
 * else is like either, and no list has ever shown the message by the id of its answer.
 */
function isSureEnough(context: SyncContext, id: ConversationId, { from, to, isPlain }: Pair): boolean {
  const isDoomed = opsOf(stateOf(context), id).some(
    ({ action }) => action.kind === 'message.delete' && action.messageId === from.id,
  );
  const isTimed = from.createdAt !== null && to.createdAt !== null && apart(from, to) <= sameMomentMs;
  return !isDoomed || (isPlain && isTimed && context.ownUnseen.has(from.id));
}

/** null: nobody could say. */
async function isElsewhere(context: SyncContext, id: MessageId): Promise<boolean | null> {
  try {
    return (await lookFor(context, id)) === null;
  } catch (error) {
    return apiError(error).isOther ? true : null;
  }
}

/** On disk; the returned transition enters the state together with the rows. */
export function takeRenamed(context: SyncContext, id: ConversationId, { done }: Renamings): Transition {
  const transitions = done.flatMap(({ from, to }): readonly Transition[] => {
    // Were it not recorded, the row could be taken for another message: it is looked at again with the next page.
    const isSaved = durably(context, from, 'By which id a message is known was not recorded.', () =>
      context.outbox.claimAlso(from, to.id),
    );
    if (!isSaved) return [];
    context.ownUnseen.delete(from);
    context.renamed.set(from, to.id);
    context.cache.removeMessages(id, [from]);
    for (const op of opsOf(stateOf(context), id)) aimAnew(context, op, from, to.id);
    return [
      removeMessages(id, [from], to),
      followItem(id, from, to.id),
      editAnew(id, from, to.id),
      ...watchAnew(context, id, from, to.id),
    ];
  });
  return (state) => transitions.reduce((next, transition) => transition(next), state);
}

/** What is to be done to it; an attempt under way goes on by `idNow`. */
function aimAnew(context: SyncContext, op: Op, from: MessageId, to: MessageId): void {
  if (targetOf(op.action) !== from) return;
  changeOp(context, op.uuid, 'What is to be done to a message was not recorded.', (held) => ({
    ...held,
    action: withTarget(held.action, to),
  }));
}

const targetOf = (action: OpAction): MessageId | null => ('messageId' in action ? action.messageId : null);

const withTarget = (action: OpAction, messageId: MessageId): OpAction =>
  'messageId' in action ? { ...action, messageId } : action;

const editAnew = (id: ConversationId, from: MessageId, to: MessageId): Transition =>
  updateDraft(id, (draft) =>
    draft.editing?.messageId === from ? { ...draft, editing: { ...draft.editing, messageId: to } } : draft,
  );

/** A message that was sent again is watched by the id it has. */
function watchAnew(context: SyncContext, id: ConversationId, from: MessageId, to: MessageId): readonly Transition[] {
  return resentIn(stateOf(context), id)
    .filter(({ found }) => found === from)
    .map((entry) => {
      const now = { ...entry, found: to };
      durably(context, entry.uuid, 'The outbox could not be written.', () =>
        context.outbox.saveResent(entry.uuid, now),
      );
      return putResent(now);
    });
}
