/** Says in the header what the failure of a poll means; a thread's own trouble stands in the thread. */
import type { ApiError } from '../api/errors.ts';
import { markNotApi, markOffline, markRateLimited, markUnauthorized } from '../state/connection.ts';
import { type SyncContext, update } from './context.ts';
import { isUnreachable } from './gate.ts';

export function showFailure(context: SyncContext, error: ApiError, notBefore: number, isList: boolean): void {
  const now = context.clock.now();
  const wall = (at: number): number => now + Math.max(0, at - context.clock.monotonic());
  const pausedUntil = context.gate.pausedUntil();
  if (error.kind === 'aborted') return;
  if (error.kind === 'unauthorized') update(context, markUnauthorized(now, error.message));
  else if (error.kind === 'rate-limited' && pausedUntil !== null)
    update(context, markRateLimited(now, wall(pausedUntil), error.message));
  else if (isUnreachable(error) || context.gate.isOpen() || isList) {
    const next = wall(Math.max(notBefore, context.gate.opensAt('poll') ?? notBefore));
    update(
      context,
      error.kind === 'not-api' && isList ? markNotApi(now, error.message, next) : markOffline(now, error.message, next),
    );
  }
}
