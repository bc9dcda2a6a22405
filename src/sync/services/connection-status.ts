/** Shows in the header what the failure of a poll means. A failure that concerns one thread is shown in that thread. */
import { type ApiError, noTokenCode, otherAccountCode } from '../../api/errors.ts';
import type { Millis } from '../../protocol/types.ts';
import type { Transition } from '../../state/store.ts';
import {
  endWait,
  markNotApi,
  markOffline,
  markOnline,
  markRateLimited,
  markUnauthorized,
  setNextTry,
} from '../../state/view/connection.ts';
import { addNotice } from '../../state/view/notices.ts';
import { isUnreachable } from './circuit-breaker.ts';
import { type Services, stateOf, update } from './services.ts';

const noticeMs = 15_000;
/** The clocks are not read at the same moment, and the header shows seconds, so that smaller changes are not shown. */
const leastShownChangeMs = 500;

interface FailedRead {
  /** The next try, on the monotonic clock. */
  readonly notBefore: number;
  /** The list was asked for. */
  readonly isList: boolean;
}

export function showFailure(context: Services, error: ApiError, { notBefore, isList }: FailedRead): void {
  const now = context.clock.now();
  const wall = (at: number): number => now + Math.max(0, at - context.clock.monotonic());
  const pausedUntil = context.circuitBreaker.pausedUntil();
  if (error.kind === 'aborted' || showBlock(context, error)) return;
  if (isUnreachable(error) || context.circuitBreaker.isOpen() || isList || pausedUntil !== null) {
    const nextPollAt = wall(Math.max(notBefore, context.circuitBreaker.nextAllowedAt('poll') ?? notBefore));
    // An answer of another kind to the list means that this is not the API; one to another read leaves that as it is.
    const isForeign = isList || stateOf(context).view.connection.status === 'not-api';
    const mark = error.kind === 'not-api' && isForeign ? markNotApi : markOffline;
    const until = pausedUntil === null ? null : wall(pausedUntil);
    update(context, mark({ now, reason: error.message, nextPollAt, fault: answeredStatus(error), until }));
  }
}

/**
 * Shows that nothing leaves any more: the server refused the token, or asks to wait. To be called with the failure of any request,
 * because no poll is left that could meet it. Returns whether it is one of the two.
 */
export function showBlock(context: Pick<Services, 'store' | 'clock' | 'circuitBreaker'>, error: ApiError): boolean {
  const until = pauseEnd(context);
  if (error.kind === 'unauthorized') showRefusedToken(context, error);
  else if (error.kind === 'rate-limited' && until !== null)
    update(context, markRateLimited(context.clock.now(), until, error.message));
  else return false;
  return true;
}

/** The end of the time that the server asks to wait; null where it asks for none. */
export function pauseEnd({ clock, circuitBreaker }: Pick<Services, 'clock' | 'circuitBreaker'>): Millis | null {
  const at = circuitBreaker.pausedUntil();
  return at === null ? null : clock.now() + Math.max(0, at - clock.monotonic());
}

/** Shows when the next request leaves, where the header has such a time; null: one is under way. */
export function showNextTry(context: Services, at: number | null): void {
  const shown = stateOf(context).view.connection.nextPollAt;
  const isSame = at === null || shown === null ? at === shown : Math.abs(shown - at) < leastShownChangeMs;
  if (!isSame) update(context, setNextTry(at));
  if (context.circuitBreaker.pausedUntil() === null) update(context, endWait);
}

/** Null where the server gave no answer that says what is wrong. */
const answeredStatus = ({ facts: { status } }: ApiError): number | null => (status >= 400 ? status : null);

/** To be used when a complete answer came. A pause, or a refused token, is not ended by the answer to an earlier request. */
export const asOnline = ({ clock, circuitBreaker }: Pick<Services, 'clock' | 'circuitBreaker'>): Transition =>
  circuitBreaker.blockedBy() !== null ? (state) => state : markOnline(clock.now());

/** The server refused the token, or there is none. */
export function showRefusedToken(context: Pick<Services, 'store' | 'clock'>, error: ApiError): void {
  const at = context.clock.now();
  const { code } = error.facts;
  const isMissing = code === noTokenCode;
  const status = isMissing ? 'no-token' : code === otherAccountCode ? 'other-account' : 'unauthorized';
  update(context, markUnauthorized(at, error.message, status));
  // The header has no room for the advice.
  const notice = { tone: 'error', text: error.message, at, until: at + noticeMs, about: 'no-token' } as const;
  if (isMissing) update(context, addNotice(notice));
}
