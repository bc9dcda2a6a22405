/** Sends requests through the circuit breaker, and separates errors of the API from bugs. */
import { ApiError, type WriteOutcome } from '../../api/errors.ts';
import type { RequestOptions } from '../../api/operations.ts';
import type { WaitOut } from '../../api/paging/list-source.ts';
import { endPause, endWait } from '../../state/view/connection.ts';
import type { Purpose } from './circuit-breaker.ts';
import { pause } from './clock.ts';
import { showBlock } from './connection-status.ts';
import { type Services, update } from './services.ts';

export const requestOptions = ({ signal }: Pick<Services, 'signal'>): RequestOptions => ({ signal });

/**
 * Runs one exchange that the circuit breaker counts. Nothing is sent during a pause, whatever was begun before it.
 * Rejects with ApiError; anything else is a bug and passes through.
 */
export async function request<T>(
  context: Pick<Services, 'store' | 'circuitBreaker' | 'clock'>,
  exchange: () => Promise<T>,
  purpose: Purpose = 'poll',
): Promise<T> {
  const { circuitBreaker } = context;
  const held = circuitBreaker.blockedBy();
  if (held !== null) throw held;
  const underWay = circuitBreaker.begin(purpose);
  let answer: T;
  try {
    answer = await exchange();
  } catch (error) {
    const failure = error instanceof ApiError ? error : aborted(error);
    underWay.fail(failure);
    showBlock(context, failure);
    throw error;
  }
  underWay.succeed();
  // Answers to another account's token must not enter the state. A write that succeeded is settled all the same.
  const barred = purpose === 'poll' ? circuitBreaker.barredBy() : null;
  if (barred !== null) throw barred;
  if (circuitBreaker.pausedUntil() === null) update(context, endPause);
  return answer;
}

/** Servers often count the requests of a minute. */
const longestPageWaitMs = 60_000;
/** The header shows a longer wait. */
const unshownWaitMs = 5_000;
const mostPageRefusals = 3;

/**
 * Waits out the pauses that a server asks for in the middle of a walk through its pages (server-differences: Rate
 * limits). A longer one ends the walk, and is shown as any other.
 */
export const waitOutLimit =
  ({
    circuitBreaker,
    clock,
    signal,
    store,
  }: Pick<Services, 'circuitBreaker' | 'clock' | 'signal' | 'store'>): WaitOut =>
  async (error, refusals) => {
    if (error.kind !== 'rate-limited' || refusals > mostPageRefusals) return false;
    // The page before was answered, so that the pauses do not get longer from page to page.
    if (refusals === 1) circuitBreaker.begin('poll').succeed();
    circuitBreaker.begin('poll').fail(error);
    const waitMs = (circuitBreaker.pausedUntil() ?? 0) - clock.monotonic();
    if (waitMs > longestPageWaitMs) return false;
    if (waitMs > unshownWaitMs) showBlock({ circuitBreaker, clock, store }, error);
    await pause({ clock, signal }, waitMs);
    update({ store }, endWait);
    return !signal.aborted;
  };

/** Whether a request may leave now, as far as the answers of the server so far say. */
export function mayLeaveNow(
  { circuitBreaker, clock }: Pick<Services, 'circuitBreaker' | 'clock'>,
  purpose: Purpose,
): boolean {
  const allowedAt = circuitBreaker.nextAllowedAt(purpose);
  return allowedAt !== null && allowedAt <= clock.monotonic();
}

/** A bug ends the request as an abort does: the program is about to end with it. */
const aborted = (error: unknown): ApiError =>
  new ApiError({ kind: 'aborted', outcome: 'ambiguous', message: String(error) });

/** The error of a call; anything else is a bug and is thrown on. */
export function apiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

/**
 * The failure of a request that came after a write, made to say what the answer to the write has shown of that. A refusal
 * stays one. A bug is thrown on.
 */
export function failureAfter(written: Exclude<WriteOutcome, 'rejected'>, error: unknown): ApiError {
  const failure = apiError(error);
  const isOther = failure.facts.outcome !== 'rejected' && failure.facts.outcome !== written;
  return isOther ? new ApiError({ ...failure.facts, outcome: written }) : failure;
}

const aboutOneThing: ReadonlySet<ApiError['kind']> = new Set([
  'forbidden',
  'invalid',
  'too-large',
  'server',
  'not-api',
]);

/** The server answered and refused this one resource, which says nothing about any other. A bug is thrown on. */
export const isNotShown = (error: unknown): boolean => aboutOneThing.has(apiError(error).kind);
