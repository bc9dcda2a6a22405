/** Records the outcome of an attempt in the outbox on disk and in the state, and reports a refusal to the user. */
import type { ConversationId } from '../../protocol/types.ts';
import { conversationOf } from '../../state/cache/conversations.ts';
import { opByUuid, removeOp, replaceOp } from '../../state/local/outbox.ts';
import { noteRefusal } from '../../state/local/refusals.ts';
import type { Op } from '../../state/model/app-state.ts';
import { accepts, keepsUserText, transition } from '../../state/model/op-state.ts';
import { refusalName } from '../../state/model/screen-state.ts';
import { settleOp } from '../../state/settle-op.ts';
import { dropNotice } from '../../state/view/notices.ts';
import type { Outcome } from '../op/outcome.ts';
import { applyEventBestEffort, changeOpOnDisk } from '../op/update-op.ts';
import { writeToDisk } from '../services/durable-write.ts';
import { type Services, stateOf, update } from '../services/services.ts';
import { refused } from './refused.ts';
import type { RetryDelays } from './retry-delays.ts';

/** What is needed to record an outcome. */
export interface OutcomeRecorder {
  readonly context: Services;
  readonly delays: RetryDelays;
  /** Looks for sent messages of unknown outcome in this history. `endedAt`: of the attempt, on the monotonic clock. */
  readonly watch: (id: ConversationId, endedAt: number) => void;
}

/** After this failure the op is `sending` on disk; the next start takes it for interrupted, and sends nothing twice. */
const unwritten = 'The outbox could not be written.';

const notRecorded = { reason: 'The answer could not be recorded; history decides.', evidence: 'not recorded' };

const proofOf = (evidence: string, request: string | undefined) => ({
  evidence,
  ...(request !== undefined && { request }),
});

export function recordOutcome(recorder: OutcomeRecorder, uuid: string, outcome: Outcome): void {
  const op = opByUuid(stateOf(recorder.context), uuid);
  if (op === undefined) return;
  // The op may have been held back while the server was read for it. Then none of its requests was sent.
  if (op.state !== 'queued' && op.state !== 'sending') return;
  const { reason, evidence } = outcome.kind === 'settled' ? { reason: null, evidence: null } : outcome;
  recorder.context.onAnswer?.({ uuid, kind: outcome.kind, reason, evidence });
  if (outcome.kind === 'settled') settle(recorder, op, outcome);
  else if (outcome.kind === 'rejected') reject(recorder, op, outcome);
  else if (outcome.kind === 'unsure') markAmbiguous(recorder, op, outcome);
  else putOff(recorder, op, outcome);
}

function settle(recorder: OutcomeRecorder, op: Op, outcome: Extract<Outcome, { kind: 'settled' }>): void {
  const { context, delays } = recorder;
  if (outcome.created !== undefined && keepsUserText(op)) {
    goOnWithMessage(recorder, op, outcome.created, outcome.apply);
    return;
  }
  let isClaimed = false;
  const isSaved = writeToDisk(context, op.uuid, 'Done, but the outbox could not be written.', () => {
    isClaimed = context.outbox.settle(op.uuid, outcome.claim, outcome.isRecycled);
  });
  if (!isSaved || !isClaimed) {
    markAmbiguous(recorder, op, notRecorded);
    return;
  }
  delays.forget(op);
  const left = settleOp(op, outcome.claim, context.clock.now());
  outcome.apply((state) => dropNotice(op.uuid)(dropNotice(refusalName(conversationOf(op)))(left(state))));
}

/** Where the disk refuses, the conversation is found in the list by the next attempt. */
function goOnWithMessage(recorder: OutcomeRecorder, op: Op, conversationId: ConversationId, apply: Apply): void {
  const { context, delays } = recorder;
  const event = { kind: 'created', conversationId } as const;
  let next: Op | null = null;
  writeToDisk(context, op.uuid, unwritten, () => {
    next = changeOpOnDisk(context, op.uuid, (held) => (accepts(held, event.kind) ? transition(held, event) : null));
  });
  const queued: Op | null = next;
  if (queued === null) {
    markAmbiguous(recorder, op, notRecorded);
    return;
  }
  delays.forget(op);
  apply((state) => dropNotice(op.uuid)(replaceOp(queued)(state)));
  context.wake();
}

type Apply = Extract<Outcome, { kind: 'settled' }>['apply'];

function reject(
  { context, delays }: OutcomeRecorder,
  op: Op,
  { reason, evidence, request }: Extract<Outcome, { kind: 'rejected' }>,
): void {
  delays.forget(op);
  const event = { kind: 'rejected', at: context.clock.now(), reason, ...proofOf(evidence, request) } as const;
  if (transition(op, event) !== null) {
    applyEventBestEffort(context, op, unwritten, event);
    return;
  }
  // It is on disk before the op leaves: the command that waits for the op may be another process.
  update(context, noteRefusal(op.uuid, { reason, evidence, at: event.at }));
  if (!writeToDisk(context, op.uuid, unwritten, () => context.outbox.discard(op.uuid))) return;
  const said = refused(context, op, reason);
  update(context, (state) => said(removeOp(op.uuid)(state)));
}

function markAmbiguous(
  { context, delays, watch }: OutcomeRecorder,
  op: Op,
  { reason, evidence, request, answeredId }: Omit<Extract<Outcome, { kind: 'unsure' }>, 'kind'>,
): void {
  const { action } = op;
  const at = context.clock.now();
  const notBefore = action.kind === 'message.send' ? 0 : at + delays.postpone(op, { countsAsFailure: true });
  const answered = answeredId === undefined ? {} : { answeredId };
  const proof = proofOf(evidence, request);
  applyEventBestEffort(context, op, unwritten, { kind: 'ambiguous', at, reason, ...proof, notBefore, ...answered });
  if (action.kind !== 'message.send') return;
  rememberUnsure(context, op.uuid);
  watch(action.conversationId, context.clock.monotonic());
}

/** Remembers when the op became unsure, and forgets those that no longer are. */
function rememberUnsure({ store, unsureSince, clock }: Services, uuid: string): void {
  const isUnsure = (one: string): boolean => opByUuid(store.getState(), one)?.state === 'unsure';
  for (const one of unsureSince.keys()) if (!isUnsure(one)) unsureSince.delete(one);
  unsureSince.set(uuid, clock.monotonic());
}

function putOff({ context, delays }: OutcomeRecorder, op: Op, outcome: Extract<Outcome, { kind: 'later' }>): void {
  const { isInDoubt, reason, evidence, request } = outcome;
  const at = context.clock.now();
  const delayMs = delays.postpone(op, outcome);
  const notBefore = delayMs === 0 ? 0 : at + delayMs;
  const kind = op.state === 'queued' ? 'postponed' : isInDoubt === true ? 'ambiguous' : 'not-applied';
  applyEventBestEffort(context, op, unwritten, { kind, at, reason, ...proofOf(evidence, request), notBefore });
}
