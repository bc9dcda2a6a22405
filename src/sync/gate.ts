/** The one way to the server that polls and writes share: says when a request may leave. */
import type { ApiError } from '../api/errors.ts';
import { backoffMs } from './backoff.ts';

/*
 *              unreachable, or 5 failures in a row
 *     closed ─────────────────────────────────────► open (one probe at a time, after a growing delay)
 *       ▲                                             │
 *       └──────────────── any answer ─────────────────┘
 *
 *     closed or open ── 429 ──► paused (nothing until the time is over)
 *     closed or open ── 401 ──► shut   (nothing until there is a new token)
 *
 * While anything fails, no more than 12 requests leave in a minute, whoever asks.
 */

const failuresToOpen = 5;
const budget = { requests: 12, windowMs: 60_000 } as const;
const longestPauseMs = 3_600_000;

export interface Gate {
  /** When a request may leave, on the monotonic clock: in the past = now, null = not before something else happens. */
  readonly opensAt: (purpose: Purpose) => number | null;
  readonly begin: () => void;
  readonly succeed: () => void;
  readonly fail: (error: ApiError) => void;
  /** The user asked: forget the delay, not the budget, a pause or a refused token. */
  readonly hurry: () => void;
  readonly reset: () => void;
  readonly isShut: () => boolean;
  readonly isOpen: () => boolean;
  readonly pausedUntil: () => number | null;
}

/** Only polls are sent as probes: a write is never used to find out whether the server is there. */
export type Purpose = 'poll' | 'write';

export function createGate(clock: { monotonic(): number }, random: () => number): Gate {
  let failures = 0;
  let pauses = 0;
  let notBefore = 0;
  let pausedUntil: number | null = null;
  let isOpen = false;
  let isShut = false;
  let inFlight = 0;
  let recent: readonly number[] = [];

  const budgetOpensAt = (): number => {
    if ((failures === 0 && pauses === 0) || recent.length < budget.requests) return 0;
    return (recent.at(-budget.requests) ?? 0) + budget.windowMs;
  };
  const reset = (): void => {
    failures = 0;
    pauses = 0;
    notBefore = 0;
    pausedUntil = null;
    isOpen = false;
    isShut = false;
  };
  const pause = (retryAfterMs: number | null): void => {
    pauses += 1;
    const waitMs = Math.min(longestPauseMs, retryAfterMs ?? backoffMs(pauses, random));
    pausedUntil = Math.max(pausedUntil ?? 0, clock.monotonic() + waitMs);
  };

  const isPaused = (): boolean => pausedUntil !== null && pausedUntil > clock.monotonic();

  return {
    opensAt: (purpose) => {
      if (isShut || (isOpen && (purpose === 'write' || inFlight > 0))) return null;
      return Math.max(isOpen ? notBefore : 0, pausedUntil ?? 0, budgetOpensAt());
    },
    begin: () => {
      inFlight += 1;
      const now = clock.monotonic();
      recent = [...recent.filter((at) => at > now - budget.windowMs), now].slice(-budget.requests);
    },
    succeed: () => {
      inFlight -= 1;
      failures = 0;
      isOpen = false;
      // The answer to a request that left before the pause does not end it.
      if (isPaused()) return;
      pauses = 0;
      pausedUntil = null;
    },
    fail: (error) => {
      inFlight -= 1;
      if (error.kind === 'unauthorized') isShut = true;
      else if (error.kind === 'rate-limited') pause(error.facts.retryAfterMs);
      else if (isTrouble(error)) {
        failures += 1;
        if (isUnreachable(error) || failures >= failuresToOpen) isOpen = true;
        notBefore = clock.monotonic() + backoffMs(failures, random);
      } else if (error.kind !== 'aborted' && error.kind !== 'unusable-id') {
        failures = 0;
        isOpen = false;
      }
    },
    hurry: () => {
      notBefore = 0;
    },
    reset,
    isShut: () => isShut,
    isOpen: () => isOpen,
    pausedUntil: () => (isPaused() ? pausedUntil : null),
  };
}

/** The server was not reached at all. */
export const isUnreachable = (error: ApiError): boolean =>
  error.kind === 'network' || error.kind === 'timeout' || error.kind === 'tls' || error.kind === 'redirect';

const isTrouble = (error: ApiError): boolean =>
  isUnreachable(error) || error.kind === 'server' || (error.kind === 'not-api' && !error.saysNo);
