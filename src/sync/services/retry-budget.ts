/** How long to wait after failures, and at most 12 requests in any minute (R-RETRY). Times: monotonic clock, oldest first. */

const budget = { requests: 12, windowMs: 60_000 } as const;

export type RequestTimes = readonly number[];

/** `spent` with a request that leaves now. */
export const record = (spent: RequestTimes, now: number): RequestTimes =>
  [...spent.filter((at) => at > now - budget.windowMs), now].slice(-budget.requests);

/** When the next request may leave; a time in the past means now. */
export const nextSlotAt = (spent: RequestTimes): number =>
  spent.length < budget.requests ? 0 : (spent.at(-budget.requests) ?? 0) + budget.windowMs;

const baseMs = 1_000;
const ceilingMs = 60_000;

/** Full jitter over an exponentially growing range, at least a second. `failures`: in a row, counted from 1. */
export function backoffMs(failures: number, random: () => number): number {
  const range = Math.min(ceilingMs, baseMs * 2 ** Math.min(failures, 16));
  return Math.max(baseMs, Math.round(random() * range));
}
