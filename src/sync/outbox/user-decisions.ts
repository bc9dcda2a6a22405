/**
 * Carries out what the user decides about ops in the outbox: try again, send again, let later messages pass, take back,
 * give up, write another text.
 */
import { conversationOf } from '../../state/cache/conversations.ts';
import { sameValue } from '../../state/collections/equal.ts';
import { opByUuid, removeOp } from '../../state/local/outbox.ts';
import { canResend } from '../../state/local/resend-rule.ts';
import type { DraftChange, Op } from '../../state/model/app-state.ts';
import { accepts, keepsUserText, mayHaveArrived, transition } from '../../state/model/op-state.ts';
import type { Transition } from '../../state/store.ts';
import { dropNotice } from '../../state/view/notices.ts';
import { applyEvent, freshest, updateOp } from '../op/update-op.ts';
import { meantForAnother, recipientIn } from '../quirks/recipient-guard.ts';
import { writeToDisk } from '../services/durable-write.ts';
import { showNotice } from '../services/notices.ts';
import { type Services, stateOf, update } from '../services/services.ts';

export interface UserDecisions {
  /**
   * Queues a failed op again. A failed edit replaces the text that is there now. An unsure message is sent again once
   * `canResend` allows it; until then a notice says that it is looked for.
   */
  retry(uuid: string): void;
  /** Later messages no longer wait for an unsure one; false where there is none, or the disk refused. */
  letPass(uuid: string): boolean;
  /**
   * Takes an op out of the outbox, and puts its text into the draft in the same transaction. False, with a notice,
   * where its request is under way, or where what it took from a message has not been put back yet.
   */
  discard(uuid: string, into?: DraftChange): boolean;
  /** Keeps a queued op from being sent: a text of the user stays as a failed op, every other change leaves the outbox. */
  giveUp(uuid: string, reason: string): void;
  /** Gives a message that has certainly not arrived another text; false, with a notice, where it may have. */
  rewrite(uuid: string, text: string): boolean;
}

const unwritten = 'The outbox could not be written.';

/** `hurry` lets an op start without the delay after a failed attempt. */
export function createUserDecisions(context: Services, hurry: (uuid: string) => void): UserDecisions {
  return {
    letPass: (uuid) => letPass(context, uuid),
    retry: (uuid) => {
      const op = opByUuid(stateOf(context), uuid);
      if (op?.state === 'unsure') resend(context, op, hurry);
      else if (op?.state === 'failed' || op?.state === 'queued') requeue(context, op, hurry);
    },
    discard: (uuid, into) => discard(context, uuid, into ?? null),
    giveUp: (uuid, reason) => giveUp(context, uuid, reason),
    rewrite: (uuid, text) => rewrite(context, uuid, text),
  };
}

function resend(context: Services, op: Op, hurry: (uuid: string) => void): void {
  if (canResend(op, context.clock.now())) requeue(context, op, hurry);
  else {
    const text = 'Still checking whether the message arrived. Sending again is offered after 30 seconds.';
    showNotice(context, 'info', op.uuid, text);
  }
}

/** Does nothing where the process that sends has brought the op into another state meanwhile. */
function requeue(context: Services, op: Op, hurry: (uuid: string) => void): void {
  hurry(op.uuid);
  updateOp(context, op.uuid, unwritten, (held) => {
    if (held.state !== op.state || (held.state === 'unsure' && !canResend(held, context.clock.now()))) return null;
    const state = stateOf(context);
    const kind = held.state === 'unsure' ? 'send-again' : 'retried';
    const reason = meantForAnother(state, held);
    const now = recipientIn(state, conversationOf(held));
    // After the notice about the other recipient, sending it again means this recipient.
    const isMeant = reason === null || sameValue(now.recipient, held.warnedOf);
    if (!isMeant && keepsUserText(held))
      return transition(held, { kind: 'held-back', reason, ...(now.recipient && { warnedOf: now.recipient }) });
    return { ...transition(rebased(context, held), { kind }), ...(isMeant && now) };
  });
  context.wake();
}

/**
 * A failed edit that is tried again replaces the text that is known now: the user has seen it, and decided. A command has
 * loaded no thread, and the message may be beyond the window of the chat.
 */
function rebased({ cache }: Services, op: Op): Op {
  const { action } = op;
  if (action.kind !== 'message.edit' || op.state !== 'failed') return op;
  const now = cache.message(action.conversationId, action.messageId);
  return now === null ? op : { ...op, action: { ...action, base: now.text } };
}

function letPass(context: Services, uuid: string): boolean {
  if (opByUuid(stateOf(context), uuid)?.state !== 'unsure') return false;
  const passed = updateOp(context, uuid, unwritten, (held) =>
    held.state === 'unsure' ? { ...held, skippedInOrder: true } : null,
  );
  context.wake();
  return passed !== null;
}

function giveUp(context: Services, uuid: string, reason: string): void {
  const op = opByUuid(stateOf(context), uuid);
  if (op?.state !== 'queued') return;
  if (!keepsUserText(op)) discard(context, uuid, null);
  else applyEvent(context, uuid, unwritten, { kind: 'held-back', reason });
}

/** An op of another process that is being sent just now is refused by its state on disk. */
function rewrite(context: Services, uuid: string, text: string): boolean {
  const changed = updateOp(context, uuid, unwritten, (held) => {
    const { action, state } = held;
    if ((state !== 'queued' && state !== 'failed') || held.attempts.some(mayHaveArrived)) return null;
    if (action.kind === 'message.send' || action.kind === 'message.edit')
      return { ...held, action: { ...action, text } };
    if (action.kind !== 'conversation.create' || action.first === undefined) return null;
    return { ...held, action: { ...action, first: { ...action.first, text } } };
  });
  context.wake();
  return changed !== null;
}

/** After this many attempts of the op, the user may discard it although the repair is not done. */
const mostRepairAttempts = 6;

/** Whether the request was sent, and what else it removed from a message is not restored yet. */
const mustRepairFirst = (op: Op): boolean =>
  op.state === 'queued' && op.pendingRepair !== undefined && op.attempts.length < mostRepairAttempts;

const repairText = 'The request was sent already: what it may have removed from the message is restored first.';
const sendingText = 'It is being sent just now and cannot be taken back.';

function discard(context: Services, uuid: string, into: DraftChange | null): boolean {
  const op = opByUuid(stateOf(context), uuid);
  if (op === undefined) return false;
  if (mustRepairFirst(op)) {
    showNotice(context, 'info', uuid, repairText);
    return false;
  }
  const mayLeave = (held: Op): boolean => accepts(held, 'discarded') && !mustRepairFirst(held);
  let isOut = false;
  const hasDiskWorked = writeToDisk(context, uuid, unwritten, () => {
    isOut = context.outbox.withdraw(uuid, into, (held) => mayLeave(freshest(context, held)));
  });
  if (!hasDiskWorked) return false;
  if (isOut && into !== null) context.noteDraftOnDisk(into.conversationId, into.draft);
  if (isOut) update(context, withoutOp(uuid, into));
  else sayWhyItStays(context, uuid);
  context.wake();
  return isOut;
}

/** Says that the op stays because another process has begun to send it; one that was settled meanwhile is gone. */
function sayWhyItStays(context: Services, uuid: string): void {
  context.reload();
  const left = opByUuid(stateOf(context), uuid);
  if (left !== undefined) showNotice(context, 'info', uuid, mustRepairFirst(left) ? repairText : sendingText);
}

const withoutOp =
  (uuid: string, into: DraftChange | null): Transition =>
  (state) => {
    const without = dropNotice(uuid)(removeOp(uuid)(state));
    if (into === null) return without;
    const drafts = new Map(without.local.drafts).set(into.conversationId, into.draft);
    return { ...without, local: { ...without.local, drafts } };
  };
