/** Carries ops out: first in, first out, one at a time in each queue, each on disk before its request leaves. */

import { conversationOf } from '../../state/cache/conversations.ts';
import { opByUuid } from '../../state/local/outbox.ts';
import type { Op } from '../../state/model/app-state.ts';
import { nextReady, queueKey, type ReadyOps } from '../op/ordering.ts';
import { outcomeOfRead } from '../op/outcome.ts';
import { holdBackIfReplaced } from '../quirks/recipient-guard.ts';
import { apiError, mayLeaveNow } from '../services/request.ts';
import { type Services, stateOf } from '../services/services.ts';
import { executeOp, resourcesOf } from './execute-op.ts';
import { type OutcomeRecorder, recordOutcome } from './record-outcome.ts';
import { RetryDelays } from './retry-delays.ts';
import type { ReadNewestPage } from './send/send-message.ts';

export interface OutboxRunner {
  /** Starts the ops that may start now. */
  run(): void;
  /** When the next op may start, on the monotonic clock; null = not before something else happens. */
  nextAt(): number | null;
  /** Forgets the delay of the op, or of every op: the user asked for it, the machine woke from sleep, or there is a new token. */
  hurry(uuid?: string): void;
}

/** The reads before any op is sent, and after a message whose answer did not come. */
export interface ReadsBeforeSending extends Pick<OutcomeRecorder, 'watch'> {
  readonly readNewestPage: ReadNewestPage;
  readonly list: {
    /** Resolves when the first rows of a reading of the list that has begun are there; at once when there is none. */
    underWay(): Promise<void>;
    /**
     * Resolves when the newest page of the list was asked for since the last outage, and at most so many milliseconds ago
     * where a number is given; also where the server refuses its list. Rejects with ApiError.
     */
    ensure(atMostMs?: number): Promise<void>;
  };
}

interface RunnerState extends OutcomeRecorder {
  readonly reads: ReadsBeforeSending;
  /** The queues (`queueKey`) of which an op is under way. */
  readonly busyQueues: Set<string>;
  /** The end of the task wakes the engine. */
  readonly track: (task: Promise<void>) => void;
}

export function createOutboxRunner(
  context: Services,
  reads: ReadsBeforeSending,
  track: (task: Promise<void>) => void,
): OutboxRunner {
  const delays = new RetryDelays(context);
  const runner: RunnerState = { context, reads, watch: reads.watch, delays, track, busyQueues: new Set() };
  return {
    run: () => startReady(runner),
    nextAt: () => nextStartAt(runner),
    hurry: (uuid) => delays.hurry(uuid),
  };
}

function startReady(runner: RunnerState): void {
  const { context, delays, busyQueues } = runner;
  if (!context.isSender()) return;
  for (const op of readyOps(runner).ready) {
    if (isBusy(runner) || !mayLeaveNow(context, 'write')) return;
    // An op that was started just now may have used up the budget for repeated attempts.
    if (delays.dueAt(op) > context.clock.monotonic()) continue;
    delays.recordStart(op);
    const queue = queueKey(op);
    busyQueues.add(queue);
    runner.track(carryOut(runner, op).finally(() => busyQueues.delete(queue)));
  }
}

function nextStartAt(runner: RunnerState): number | null {
  const { context } = runner;
  if (!context.isSender() || isBusy(runner)) return null;
  const { ready, nextAt } = readyOps(runner);
  const wanted = ready.length > 0 ? context.clock.monotonic() : nextAt;
  const opensAt = context.circuitBreaker.nextAllowedAt('write');
  return wanted === null || opensAt === null ? null : Math.max(wanted, opensAt);
}

const readyOps = ({ context, delays, busyQueues }: RunnerState): ReadyOps =>
  nextReady(
    stateOf(context).local.outbox,
    context.clock.monotonic(),
    (op) => delays.dueAt(op),
    (queue) => busyQueues.has(queue),
  );

const isBusy = ({ context, busyQueues }: RunnerState): boolean =>
  busyQueues.size >= context.circuitBreaker.writesAtOnce();

async function carryOut(runner: RunnerState, queued: Op): Promise<void> {
  const { context, delays, reads } = runner;
  const op = conversationOf(queued) === null ? queued : await readListBefore(runner, queued);
  if (op === null) return;
  const end = context.writes.begin(resourcesOf(op.action));
  try {
    const outcome = await executeOp(context, op, reads.readNewestPage, delays.failuresOf(op));
    if (outcome !== null) recordOutcome(runner, op.uuid, outcome);
    else if (opByUuid(stateOf(context), op.uuid) !== undefined) delays.postpone(op, { countsAsFailure: true });
  } finally {
    end();
  }
}

/** The greatest age of the list before an op that cannot be taken back, because the server may have reused ids since. */
const freshListMs = 5_000;

/** A sent message may have been read, and a deletion removes the conversation: neither can be taken back. */
const cannotBeUndone = ({ action }: Op): boolean =>
  action.kind === 'message.send' || action.kind === 'conversation.delete';

/** The op as it is once the list was read; null when it is not to be carried out, or not now. */
async function readListBefore(runner: RunnerState, op: Op): Promise<Op | null> {
  const { context, reads } = runner;
  await reads.list.underWay();
  if (!mayLeaveNow(context, 'write')) return null;
  try {
    await reads.list.ensure(cannotBeUndone(op) ? freshListMs : undefined);
  } catch (error) {
    const failure = apiError(error);
    // This process aborted the read: the reason why the op waits has not changed.
    if (failure.kind !== 'aborted') recordOutcome(runner, op.uuid, outcomeOfRead(failure));
    return null;
  }
  const now = opByUuid(stateOf(context), op.uuid);
  if (now?.state !== 'queued' || conversationOf(now) !== conversationOf(op)) return null;
  return mayLeaveNow(context, 'write') && !holdBackIfReplaced(context, now) ? now : null;
}
