/** Reads `Prefer: wait=N` (RFC 7240). */

import { isList, isRead, type PlainRequest } from './exchange.ts';

/** How many seconds the request waits for a change where there is none; null where it is answered at once. */
export const waitOf = (request: PlainRequest): number | null =>
  isList(request) && isRead(request) && request.ifNoneMatch !== null ? requestedWait(request.prefer) : null;

/** Seconds. Proxies commonly end a request without an answer after a minute. */
const longestWait = 55;

/** The first `wait` among the preferences, in seconds; null where there is none that can be met. */
export function requestedWait(prefer: string | null): number | null {
  if (prefer === null) return null;
  for (const preference of prefer.split(',')) {
    const [name = '', value = ''] = (preference.split(';')[0] ?? '').split('=').map((part) => part.trim());
    if (name.toLowerCase() !== 'wait') continue;
    const digits = /^"?(\d{1,9})"?$/.exec(value)?.[1];
    const seconds = Math.min(Number(digits ?? 0), longestWait);
    return seconds === 0 ? null : seconds;
  }
  return null;
}
