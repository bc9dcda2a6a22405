/** The one way to the server that polls and writes share: says when a request may leave. */
import { ApiError } from '../../api/errors.ts';
import { backoffMs } from './backoff.ts';
import { nextSlotAt, type RequestTimes, record } from './retry-budget.ts';

/*
 *              unreachable, or 5 failures in a row
 *     closed ─────────────────────────────────────► open (one probe at a time, after a growing delay)
 *       ▲                                             │
 *       └──── any answer to what left after that ─────┘
 *
 *     closed or open ── 429, 503 with a time ──► paused (nothing until the time is over, then one request, then the rest)
 *     any ── the token is another account's ──► barred (nothing until there is a new token)
 *     closed or open ── 401 ──► shut   (nothing until there is a new token, or the user asks: then open)
 *
 * While anything fails, no more than 12 requests leave in a minute, whoever asks. Those that went well before do not
 * count: one strange answer amid healthy polls must not keep the client from looking what became of a message. Where
 * only writes are told to wait, that holds for them alone, and they leave one by one: two at once after the first that
 * is taken, then four.
 */

const failuresToOpen = 5;
const longestPauseMs = 3_600_000;
/** Fewer than the requests that an outage allows in a minute. */
const mostWritesAtOnce = 8;

export interface CircuitBreaker {
  /** When a request may leave, on the monotonic clock: in the past = now, null = not before something else happens. */
  readonly nextAllowedAt: (purpose: Purpose) => number | null;
  /** How many writes may be under way. */
  readonly writesAtOnce: () => number;
  /** Why nothing may leave now, whatever was begun: the answer that began the pause, or that refused the token. */
  readonly blockedBy: () => ApiError | null;
  readonly attempt: (purpose: Purpose) => Attempt;
  /** The user asked, or the machine slept: forget the delay, not the budget or a pause; a refused token is tried by one poll. */
  readonly resetBackoff: () => void;
  /** Nothing leaves any more until `reset`, also not when the user asks. */
  readonly bar: (error: ApiError) => void;
  /** Why it is barred; null when it is not. */
  readonly barredBy: () => ApiError | null;
  /** For a new token. Writes leave one by one until some are taken: whose token it is, an answer to a message tells. */
  readonly reset: () => void;
  readonly isAuthRejected: () => boolean;
  readonly isOpen: () => boolean;
  /** How often the server was out of reach: who answers after that may be another one. */
  readonly outages: () => number;
  readonly pausedUntil: () => number | null;
}

/** A request under way; ended once. */
export interface Attempt {
  readonly succeed: () => void;
  readonly fail: (error: ApiError) => void;
}

/** Only polls are sent as probes: a write is never used to find out whether the server is there. */
export type Purpose = 'poll' | 'write';

export function createCircuitBreaker(clock: { monotonic(): number }, random: () => number): CircuitBreaker {
  let failures = 0;
  /** Pauses in a row, for each purpose without one taken in between. */
  let pauses = { poll: 0, write: 0 };
  let notBefore = 0;
  let pausedUntil: number | null = null;
  /** There was a pause, and no answer since says that it is over. */
  let isProbing = false;
  let isOpen = false;
  /** How often it has opened, or stayed so after a probe. */
  let openings = 0;
  let outages = 0;
  let isShut = false;
  let barredBy: ApiError | null = null;
  let reason: ApiError | null = null;
  let inFlight = { all: 0, write: 0 };
  let probes = 0;
  let width = mostWritesAtOnce;
  let recent: Readonly<Record<'all' | 'write', RequestTimes>> = { all: [], write: [] };

  const isTroubled = (): boolean => failures > 0 || pauses.poll > 0;
  const spentBy = (purpose: Purpose): RequestTimes => {
    if (isTroubled()) return recent.all;
    return purpose === 'write' && pauses.write > 0 ? recent.write : [];
  };
  const reset = (): void => {
    failures = 0;
    pauses = { poll: 0, write: 0 };
    notBefore = 0;
    pausedUntil = null;
    isProbing = false;
    isOpen = false;
    isShut = false;
    barredBy = null;
    width = 1;
  };

  const isPaused = (): boolean => pausedUntil !== null && pausedUntil > clock.monotonic();

  /** However many were on their way when it began, it is one pause; the longest wish counts. */
  const pause = (purpose: Purpose, error: ApiError): void => {
    const { retryAfterMs } = error.facts;
    const isSame = isPaused();
    if (!isSame) pauses = { ...pauses, [purpose]: pauses[purpose] + 1 };
    const unsaidMs = isSame ? 0 : backoffMs(pauses[purpose], random);
    const waitMs = Math.min(longestPauseMs, retryAfterMs ?? unsaidMs);
    pausedUntil = Math.max(pausedUntil ?? 0, clock.monotonic() + waitMs);
    isProbing = true;
    // Whatever is held back by it has not left.
    reason = new ApiError({ ...error.facts, kind: 'rate-limited', outcome: 'not-applied' });
    if (purpose === 'write') width = 1;
  };

  const succeed = (purpose: Purpose, openingsThen: number): void => {
    // The answer to a request that left before the failure, or before the pause, does not end it.
    if (isOpen && openingsThen < openings) return;
    failures = 0;
    isOpen = false;
    if (isPaused()) return;
    pausedUntil = null;
    isProbing = false;
    pauses = { poll: 0, write: purpose === 'write' ? 0 : pauses.write };
    if (purpose === 'write') width = Math.min(mostWritesAtOnce, 2 * width);
  };

  const fail = (purpose: Purpose, error: ApiError): void => {
    if (!isTroubled()) recent = { ...recent, all: recent.all.slice(-inFlight.all) };
    if (purpose === 'write' && pauses.write === 0) recent = { ...recent, write: recent.write.slice(-inFlight.write) };
    if (asksToWait(error)) pause(purpose, error);
    if (error.kind === 'unauthorized') {
      isShut = true;
      reason = error;
    } else if (isTrouble(error)) {
      failures += 1;
      if (isUnreachable(error) || failures >= failuresToOpen) {
        if (!isOpen) outages += 1;
        isOpen = true;
        openings += 1;
      }
      notBefore = clock.monotonic() + backoffMs(failures, random);
    } else if (!isNoAnswer(error) && error.kind !== 'rate-limited') {
      failures = 0;
      isOpen = false;
    }
  };

  return {
    nextAllowedAt: (purpose) => {
      if (barredBy !== null) return null;
      if (isShut || (isOpen && (purpose === 'write' || inFlight.all > 0)) || (isProbing && probes > 0)) return null;
      return Math.max(isOpen ? notBefore : 0, pausedUntil ?? 0, nextSlotAt(spentBy(purpose)));
    },
    writesAtOnce: () => (isProbing ? 1 : width),
    blockedBy: () => barredBy ?? (isShut || isPaused() ? reason : null),
    attempt: (purpose) => {
      const isProbe = isProbing;
      const openingsThen = openings;
      const now = clock.monotonic();
      const count = (by: 1 | -1): void => {
        inFlight = { all: inFlight.all + by, write: inFlight.write + (purpose === 'write' ? by : 0) };
        if (isProbe) probes += by;
      };
      recent = { all: record(recent.all, now), write: purpose === 'write' ? record(recent.write, now) : recent.write };
      count(1);
      return {
        succeed: () => {
          count(-1);
          succeed(purpose, openingsThen);
        },
        fail: (error) => {
          fail(purpose, error);
          count(-1);
        },
      };
    },
    resetBackoff: () => {
      notBefore = 0;
      // Whether the token is refused still, one poll tells.
      if (isShut) isOpen = true;
      isShut = false;
    },
    bar: (error) => {
      barredBy = error;
    },
    barredBy: () => barredBy,
    reset,
    isAuthRejected: () => isShut || barredBy !== null,
    isOpen: () => isOpen,
    outages: () => outages,
    pausedUntil: () => (isPaused() ? pausedUntil : null),
  };
}

/** The server was not reached at all. */
export const isUnreachable = (error: ApiError): boolean =>
  error.kind === 'network' || error.kind === 'timeout' || error.kind === 'tls' || error.kind === 'redirect';

/** A server that is down for a while may say for how long. */
const asksToWait = ({ kind, facts }: ApiError): boolean =>
  kind === 'rate-limited' || (facts.status === 503 && facts.retryAfterMs !== null);

/** It came to no exchange, by our own side. */
const isNoAnswer = ({ kind }: ApiError): boolean => kind === 'aborted' || kind === 'unusable-id';

const isTrouble = (error: ApiError): boolean =>
  isUnreachable(error) || error.kind === 'server' || (error.kind === 'not-api' && !error.saysNo);
