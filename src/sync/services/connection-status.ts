/** Says in the header what the failure of a poll means; a thread's own trouble stands in the thread. */
import { type ApiError, noTokenCode, otherAccountCode } from '../../api/errors.ts';
import { addNotice, markNotApi, markOffline, markRateLimited, markUnauthorized } from '../../state/view/connection.ts';
import { isUnreachable } from './request-gate.ts';
import { type Services, stateOf, update } from './services.ts';

const noticeMs = 15_000;

export function showFailure(context: Services, error: ApiError, notBefore: number, isList: boolean): void {
  const now = context.clock.now();
  const wall = (at: number): number => now + Math.max(0, at - context.clock.monotonic());
  const pausedUntil = context.gate.pausedUntil();
  if (error.kind === 'aborted') return;
  if (error.kind === 'unauthorized') showRefusedToken(context, error);
  else if (error.kind === 'rate-limited' && pausedUntil !== null)
    update(context, markRateLimited(now, wall(pausedUntil), error.message));
  else if (isUnreachable(error) || context.gate.isOpen() || isList) {
    const next = wall(Math.max(notBefore, context.gate.nextAllowedAt('poll') ?? notBefore));
    // Foreign answers to the list mean a foreign server; those to other reads do not, but say nothing against it.
    const isForeign = isList || stateOf(context).view.connection.status === 'not-api';
    const mark = error.kind === 'not-api' && isForeign ? markNotApi : markOffline;
    update(context, mark(now, error.message, next));
  }
}

/** By the server, or before anything was asked, as there is none. */
export function showRefusedToken(context: Services, error: ApiError): void {
  const at = context.clock.now();
  const { code } = error.facts;
  const isMissing = code === noTokenCode;
  const status = isMissing ? 'no-token' : code === otherAccountCode ? 'other-account' : 'unauthorized';
  update(context, markUnauthorized(at, error.message, status));
  // The header has no room for what to do.
  const notice = { tone: 'error', text: error.message, at, until: at + noticeMs, about: 'no-token' } as const;
  if (isMissing) update(context, addNotice(notice));
}
