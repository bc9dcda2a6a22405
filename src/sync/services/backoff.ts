/** How long to wait after failures in a row, and how many requests may leave in a minute meanwhile (R-RETRY). */
const baseMs = 1_000;
const ceilingMs = 60_000;

/**
 * A random time of a range that doubles with each failure and ends at a minute (full jitter), but at least a second.
 * @param failures in a row, counted from 1
 * @param random returns a number from 0 to 1
 * @returns milliseconds
 */
export function backoffMs(failures: number, random: () => number): number {
  const range = Math.min(ceilingMs, baseMs * 2 ** Math.min(failures, 16));
  return Math.max(baseMs, Math.round(random() * range));
}

/** The retry budget: at most 12 requests in any minute while the server fails. */
const budget = { requests: 12, windowMs: 60_000 } as const;

/** Times on the monotonic clock, oldest first. */
export type RequestTimes = readonly number[];

/** `spent` with a request that leaves now. */
export const record = (spent: RequestTimes, now: number): RequestTimes =>
  [...spent.filter((at) => at > now - budget.windowMs), now].slice(-budget.requests);

/** When the next request may leave; a time in the past means now. */
export const nextSlotAt = (spent: RequestTimes): number =>
  spent.length < budget.requests ? 0 : (spent.at(-budget.requests) ?? 0) + budget.windowMs;
