/** Carries ops out: first in, first out, one at a time in each lane, on disk before the request. */
import type { ConversationId, MessageId, Millis } from '../../protocol/types.ts';
import { conversationOf } from '../../state/cache/conversations.ts';
import { discard, undoDeadline, withLastEnded } from '../../state/local/outbox.ts';
import type { Op } from '../../state/model/app-state.ts';
import { settleOp } from '../../state/settle-op.ts';
import { dropNotice, markRateLimited } from '../../state/view/connection.ts';
import { nextReady, queueKey } from '../op/ordering.ts';
import { keepsUserText, type Outcome, outcomeOfLook } from '../op/outcome.ts';
import { updateOpBestEffort } from '../op/update-op.ts';
import { isWrongRecipient } from '../quirks/recipient-guard.ts';
import { backoffMs } from '../services/backoff.ts';
import { showRefusedToken } from '../services/connection-status.ts';
import { nextSlotAt, type RequestTimes, record } from '../services/retry-budget.ts';
import { apiError, notice, type Services, stateOf, update, writeToDisk } from '../services/services.ts';
import { executeOp, targetsOf } from './execute-op.ts';
import { mayLeave, type ReadNewestPage } from './send/send-message.ts';

export interface OutboxRunner {
  /** Starts what may start. */
  run(): void;
  /** When the next op may start, on the monotonic clock; null = not before something else happens. */
  nextAt(): number | null;
  /** Forget the delays: the user asked, or the server is back. */
  hurry(uuid?: string): void;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
}

interface Waiting {
  failures: number;
  /** Monotonic. */
  notBefore: number;
}

export interface OutboxRunnerEvents {
  /** A send came to no known end; on the monotonic clock. */
  readonly onUnsure: (op: Op, at: number) => void;
  readonly onSettled: (id: ConversationId | null) => void;
}

/** What is looked at before anything leaves. */
export interface Preflight {
  readonly readNewestPage: ReadNewestPage;
  readonly list: {
    /** Resolves when no reading of the list is under way. */
    underWay(): Promise<void>;
    /** Resolves when the newest page of the list was read at most so many milliseconds ago. Rejects with ApiError. */
    ensure(atMostMs?: number): Promise<void>;
  };
}

/** What is said to, or taken from, the wrong one cannot be taken back: ids may have been given to others since the last poll. */
const isFinal = ({ action }: Op): boolean => action.kind === 'message.send' || action.kind === 'conversation.delete';
const freshListMs = 5_000;

export function createOutboxRunner(
  context: Services,
  { readNewestPage, list }: Preflight,
  events: OutboxRunnerEvents,
  track: (task: Promise<void>) => void,
): OutboxRunner {
  const waiting = new Map<string, Waiting>();
  const underWay = new Map<string, Promise<void>>();
  /** Attempts after one that failed: what one server answers to a whole outbox is no outage, and no storm either. */
  let repeats: RequestTimes = [];
  const isRepeat = (op: Op): boolean => (waiting.get(op.uuid)?.failures ?? 0) > 0;
  const dueAt = (op: Op): number =>
    Math.max(waiting.get(op.uuid)?.notBefore ?? 0, heldUntil(context, op), isRepeat(op) ? nextSlotAt(repeats) : 0);

  const postpone = (op: Op, isBlameless: boolean): number => {
    const failures = (waiting.get(op.uuid)?.failures ?? 0) + (isBlameless ? 0 : 1);
    const delayMs = isBlameless ? 0 : backoffMs(failures, context.random);
    waiting.set(op.uuid, { failures, notBefore: context.clock.monotonic() + delayMs });
    return delayMs;
  };

  /** Whether it is still to be carried out, now that it is known whose conversation that is. */
  const passesPreflight = async (op: Op): Promise<boolean> => {
    await list.underWay();
    if (!mayLeave(context)) return false;
    try {
      await list.ensure(isFinal(op) ? freshListMs : undefined);
    } catch (error) {
      conclude(op.uuid, outcomeOfLook(apiError(error)));
      return false;
    }
    const held = stateOf(context).local.outbox.find(({ uuid }) => uuid === op.uuid);
    // By now it may be for the same conversation by another id: what is in hand here names the old one.
    const isSame = held !== undefined && conversationOf(held) === conversationOf(op);
    return isSame && held.state === 'queued' && mayLeave(context) && !isWrongRecipient(context, held);
  };

  const carryOut = async (op: Op): Promise<void> => {
    if (conversationOf(op) !== null && !(await passesPreflight(op))) return;
    const end = context.writes.begin(targetsOf(op.action));
    try {
      const outcome = await executeOp(context, op, readNewestPage, waiting.get(op.uuid)?.failures ?? 0);
      if (outcome !== null) conclude(op.uuid, outcome);
      else if (stateOf(context).local.outbox.some((held) => held.uuid === op.uuid)) postpone(op, false);
    } finally {
      end();
    }
  };

  const conclude = (uuid: string, outcome: Outcome): void => {
    const op = stateOf(context).local.outbox.find((held) => held.uuid === uuid);
    if (op === undefined) return;
    if (outcome.kind === 'settled') settle(op, outcome);
    else if (outcome.kind === 'refused') markRejected(op, outcome.reason, outcome.evidence);
    else if (outcome.kind === 'unsure') markAmbiguous(op, outcome.reason, outcome.evidence, outcome.named);
    else {
      const delayMs = postpone(op, outcome.isBlameless);
      const notBefore = delayMs === 0 ? 0 : context.clock.now() + delayMs;
      const { isInDoubt, reason, evidence } = outcome;
      store(op, closed({ outcome: isInDoubt === true ? 'A' : 'N', reason, evidence, notBefore }, 'queued'));
      showPause(context, reason);
    }
  };

  const settle = (op: Op, outcome: Extract<Outcome, { kind: 'settled' }>): void => {
    let isClaimed = false;
    const isSaved = writeToDisk(context, op.uuid, 'Done, but the outbox could not be written.', () => {
      isClaimed = context.outbox.settle(op.uuid, outcome.claim, outcome.isReused);
    });
    if (!isSaved || !isClaimed) {
      markAmbiguous(op, 'The answer could not be recorded; history decides.', 'not recorded');
      return;
    }
    waiting.delete(op.uuid);
    const left = settleOp(op, outcome.claim, context.clock.now());
    outcome.apply((state) => dropNotice(op.uuid)(dropNotice(refusalOf(op))(left(state))));
    events.onSettled(conversationOf(op));
  };

  const markRejected = (op: Op, reason: string, evidence: string): void => {
    waiting.delete(op.uuid);
    if (keepsUserText(op)) {
      store(op, closed({ outcome: 'P', reason, evidence }, 'failed'));
      return;
    }
    if (!writeToDisk(context, op.uuid, 'The outbox could not be written.', () => context.outbox.discard(op.uuid)))
      return;
    const isCreate = op.action.kind === 'conversation.create';
    const text = isCreate ? `The conversation could not be started: ${reason}` : reason;
    const told = notice(context, 'error', refusalOf(op), text);
    update(context, (state) => told(discard(op.uuid)(state)));
    events.onSettled(conversationOf(op));
  };

  const markAmbiguous = (op: Op, reason: string, evidence: string, named?: MessageId): void => {
    // What may be repeated is looked at again instead of watched for.
    if (op.action.kind !== 'message.send') {
      const notBefore = context.clock.now() + postpone(op, false);
      store(op, closed({ outcome: 'A', reason, evidence, notBefore }, 'queued'));
    } else {
      const name = named === undefined ? {} : { answeredId: named };
      store(op, closed({ outcome: 'A', reason, evidence, ...name }, 'unsure'));
      events.onUnsure(op, context.clock.monotonic());
    }
  };

  const closed =
    ({ reason, notBefore = 0, ...end }: End, state: Op['state']) =>
    (op: Op): Op => ({
      ...op,
      state,
      reason,
      notBefore,
      attempts: withLastEnded(op.attempts, { ended: context.clock.now(), ...end }),
    });

  const store = (op: Op, change: (held: Op) => Op): void => {
    // A disk that refuses leaves `sending` there, which the next start reads as unsure: the safe side.
    updateOpBestEffort(context, op, 'The outbox could not be written.', change);
  };

  const lanes = (): ReturnType<typeof nextReady> =>
    nextReady(stateOf(context).local.outbox, context.clock.monotonic(), dueAt, (lane) => underWay.has(lane));

  const isBusy = (): boolean => underWay.size >= context.gate.writesAtOnce();

  return {
    run: () => {
      if (!context.isSender()) return;
      for (const op of lanes().ready) {
        if (isBusy()) return;
        const opensAt = context.gate.nextAllowedAt('write');
        if (opensAt === null || opensAt > context.clock.monotonic()) return;
        const now = context.clock.monotonic();
        if (dueAt(op) > now) continue;
        if (isRepeat(op)) repeats = record(repeats, now);
        const lane = queueKey(op);
        const task = carryOut(op)
          .finally(() => underWay.delete(lane))
          .then(() => undefined);
        underWay.set(lane, task);
        track(task);
      }
    },
    nextAt: () => {
      // The end of what is under way wakes the engine.
      if (!context.isSender() || isBusy()) return null;
      const { ready, nextAt } = lanes();
      const wanted = ready.length > 0 ? context.clock.monotonic() : nextAt;
      const opensAt = context.gate.nextAllowedAt('write');
      return wanted === null || opensAt === null ? null : Math.max(wanted, opensAt);
    },
    hurry: (uuid) => {
      for (const [key, entry] of waiting) if (uuid === undefined || key === uuid) entry.notBefore = 0;
    },
    settled: async () => {
      await Promise.allSettled([...underWay.values()]);
    },
  };
}

/** How an attempt ended, and how long the next one waits. */
interface End {
  readonly outcome: 'N' | 'P' | 'A';
  readonly reason: string;
  readonly evidence: string;
  readonly named?: MessageId;
  readonly notBefore?: Millis;
}

/** The time to think better of it, on the monotonic clock; a wall clock that was set back does not make it longer. */
function heldUntil(context: Services, op: Op): number {
  const now = context.clock.now();
  const left = undoDeadline(op) - now;
  return left <= 0 || now < op.created ? 0 : context.clock.monotonic() + left;
}

/** What the notice of a refusal is about; that of one conversation not started makes way for the next try. */
const refusalOf = (op: Op): string => `refused ${conversationOf(op) ?? 'create'}`;

function showPause(context: Services, reason: string): void {
  const now = context.clock.now();
  const refused = context.gate.isAuthRejected() ? context.gate.blockedBy() : null;
  if (refused !== null) showRefusedToken(context, refused);
  const until = context.gate.pausedUntil();
  if (until !== null) update(context, markRateLimited(now, now + until - context.clock.monotonic(), reason));
}
