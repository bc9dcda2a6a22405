/**
 * Conversations that a server lists by another id than it answered when they were started: what was begun under the one
 * goes on under the other. As `renamed`, of messages.
 */
import type { Conversation, ConversationId, Millis } from '../protocol/types.ts';
import { sameValue } from '../state/equal.ts';
import { moveConversation } from '../state/move-conversation.ts';
import { opsOf, requeued, updateOp } from '../state/outbox.ts';
import { resentIn } from '../state/resent.ts';
import type { Op, Recipient } from '../state/state.ts';
import { absorb, knownNewest } from './absorb.ts';
import { writeOp } from './change-op.ts';
import { apiError, durably, type SyncContext, stateOf, update } from './context.ts';
import { isUnknown } from './look-at-conversation.ts';
import { apartMs, sameMomentMs } from './renamed.ts';
import { partnerOf } from './replaced-conversation.ts';
import { youngForMs } from './young.ts';

/** What the answer to a creation of this run has named. */
export interface Created {
  /** On the monotonic clock. */
  readonly at: Millis;
  /** By the server's clock. */
  readonly createdAt: Millis;
  readonly recipient: Recipient;
  /** Every conversation there was had been seen before. */
  readonly knewAll: boolean;
  /** A list has shown it by this id, which is therefore its own. */
  readonly isListed: boolean;
  /** The whole list was wished for once, to see that it is not there. */
  readonly hasWishedForAll: boolean;
  readonly movedTo: ConversationId | null;
}

/** What was created is found so long after at the latest, where reads lag as they are known to (`whileBehind`). */
const foundWithinMs = 30_000;

/** What is to be heard of the list to decide: nothing more, its first page though it may be unchanged, or all of it. */
export type Wish = 'none' | 'again' | 'all';

/** `serverDate`: of the answer. */
export function noteCreated(context: SyncContext, created: Conversation, serverDate: Millis | null): void {
  const recipient = partnerOf(created);
  if (recipient === null) return;
  context.created.set(created.id, {
    at: context.clock.monotonic(),
    createdAt: created.createdAt ?? serverDate ?? context.clock.now(),
    recipient,
    knewAll: stateOf(context).view.connection.listComplete,
    isListed: false,
    hasWishedForAll: false,
    movedTo: null,
  });
}

/**
 * To be called with every list that was taken in. That a conversation is there by another id is believed when the server
 * does not know it by the old one, or lists only the new one for longer than lists lag behind.
 */
export async function followCreated(
  context: SyncContext,
  listed: ReadonlySet<ConversationId>,
  isComplete: boolean,
): Promise<Wish> {
  const wishes: Wish[] = [];
  for (const [id, one] of context.created) {
    if (listed.has(id)) context.created.set(id, { ...one, isListed: true });
    else if (!one.isListed && one.movedTo === null) wishes.push(await follow(context, id, one, isComplete));
  }
  return wishes.find((wish) => wish === 'all') ?? wishes.find((wish) => wish === 'again') ?? 'none';
}

async function follow(context: SyncContext, from: ConversationId, one: Created, isComplete: boolean): Promise<Wish> {
  if (!context.isSender() || context.overlaps.isBuried(from)) return 'none';
  const to = successorOf(context, from, one.recipient, one.createdAt, one.knewAll);
  if (to === null) return 'none';
  const ageMs = context.clock.monotonic() - one.at;
  const isUnknownNow = await asked(context, from);
  const isTold = isUnknownNow === true && (ageMs >= foundWithinMs || isNear(to, one.createdAt, sameMomentMs));
  const isAlias = isUnknownNow === false && ageMs >= youngForMs;
  if (isTold || (isAlias && isComplete)) return move(context, from, to.id, true) ? 'none' : 'again';
  if (!isAlias || one.hasWishedForAll) return 'again';
  context.created.set(from, { ...one, hasWishedForAll: true });
  return 'all';
}

/** null: nobody could say. */
async function asked(context: SyncContext, id: ConversationId): Promise<boolean | null> {
  try {
    return await isUnknown(context, id);
  } catch (error) {
    apiError(error);
    return null;
  }
}

/**
 * The server has said that it does not know the conversation, which may have been created in an earlier run. Nothing was
 * ever read of one that it has known by its first id alone. True when it goes on by another.
 */
export function followGone(context: SyncContext, from: ConversationId): boolean {
  const held = stateOf(context).cache.conversations.get(from);
  const recipient = held === undefined ? null : partnerOf(held);
  if (!context.isSender() || held === undefined || recipient === null || held.createdAt === null) return false;
  if (context.created.get(from)?.isListed === true || wasRead(context, held)) return false;
  const to = successorOf(context, from, recipient, held.createdAt, false);
  if (to !== null) move(context, from, to.id, false);
  return to !== null;
}

export const hasMoved = ({ created }: SyncContext, id: ConversationId): boolean =>
  (created.get(id)?.movedTo ?? null) !== null;

function wasRead(context: SyncContext, { id, lastActiveAt, lastOpenedAt }: Conversation): boolean {
  const { lastMessages, foundEmpty } = stateOf(context).cache;
  if (lastActiveAt !== null || lastOpenedAt !== null || lastMessages.has(id) || foundEmpty.has(id)) return true;
  return context.cache.reach(id).older !== 'unknown';
}

/** The only one that it may be: a server may have several with the same contact. */
function successorOf(
  context: SyncContext,
  from: ConversationId,
  recipient: Recipient,
  createdAt: Millis,
  isNewIfTimeless: boolean,
): Conversation | null {
  const taken = new Set([...context.created.values()].map(({ movedTo }) => movedTo));
  const candidates = [...stateOf(context).cache.conversations.values()].filter(
    (one) =>
      one.id !== from &&
      !context.created.has(one.id) &&
      !taken.has(one.id) &&
      sameValue(partnerOf(one), recipient) &&
      (one.createdAt === null ? isNewIfTimeless : isNear(one, createdAt, apartMs)),
  );
  return candidates.length === 1 ? (candidates[0] ?? null) : null;
}

const isNear = (one: Conversation, at: Millis, withinMs: number): boolean =>
  one.createdAt !== null && Math.abs(one.createdAt - at) <= withinMs;

/** False, to be tried again, while something is being sent to the old id, or the disk refuses. */
function move(context: SyncContext, from: ConversationId, to: ConversationId, isOfThisRun: boolean): boolean {
  // What another program has written under the old id goes over as well.
  context.reload();
  const ops = opsOf(stateOf(context), from);
  if (ops.some(({ state, action }) => state === 'sending' || action.kind === 'conversation.delete')) return false;
  const goal = stateOf(context).cache.conversations.get(to);
  const consequence = 'By which id a conversation goes on was not recorded.';
  const after = moveConversation(from, to)(stateOf(context)).local;
  let movedOps: readonly Op[] = [];
  const write = (): void => {
    movedOps = ops.map(({ uuid }) =>
      writeOp(context, uuid, (held) =>
        held.state === 'sending' ? null : movedOp(context, held, to, isOfThisRun && !isForAnother(held, goal)),
      ),
    );
    context.outbox.moveClaims(from, to);
    for (const { uuid } of resentIn(stateOf(context), from))
      context.outbox.saveResent(uuid, after.resent.find((entry) => entry.uuid === uuid) ?? null);
    if (!stateOf(context).local.drafts.has(from)) return;
    context.outbox.saveDraft(to, after.drafts.get(to) ?? null);
    context.outbox.saveDraft(from, null);
  };
  // Words under both ids after a crash would be sent out of order, or stand there twice.
  if (!durably(context, `moved ${from}`, consequence, () => context.outbox.together(write))) return false;
  const unseen = knownNewest(context, from).messages.flatMap(({ id }) =>
    context.ownUnseen.has(id) ? (context.cache.message(from, id) ?? []) : [],
  );
  update(context, (state) => moveConversation(from, to)(movedOps.reduce((next, op) => updateOp(op)(next), state)));
  if (unseen.length > 0)
    absorb(
      context,
      { conversationId: to, messages: unseen, side: 'newest', connected: true },
      knownNewest(context, to),
    );
  context.cache.removeConversation(from);
  const created = context.created.get(from);
  if (created !== undefined) context.created.set(from, { ...created, movedTo: to });
  context.goOnIn(to);
  return true;
}

/**
 * What may have been posted is looked for in the history, as ever. What has not looks anew at what is there before it, and
 * is sent by itself where nothing but the old id has kept it from that.
 */
function movedOp(context: SyncContext, held: Op, to: ConversationId, mayLeave: boolean): Op {
  const { action, attempts } = held;
  if (action.kind === 'conversation.create') return held;
  const moved: Op = { ...held, action: { ...action, conversationId: to } };
  if (action.kind !== 'message.send' || !attempts.every(({ outcome }) => outcome === 'N' || outcome === 'P'))
    return moved;
  const last = attempts.at(-1);
  // Before a POST it is the history of the conversation that is not found.
  const isForId = held.state === 'failed' && (last?.outcome !== 'P' || last.evidence === '404');
  // A server that keeps what it has answered to a key takes no other body with it.
  const key = attempts.length === 0 ? {} : { key: context.newUuid() };
  return { ...(isForId && mayLeave ? requeued(moved) : moved), ...key, baseline: null };
}

/** It waits for its author, who meant somebody else. */
const isForAnother = ({ recipient }: Op, goal: Conversation | undefined): boolean =>
  goal === undefined || (recipient !== undefined && !sameValue(partnerOf(goal), recipient));
