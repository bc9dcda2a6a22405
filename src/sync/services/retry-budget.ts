/** At most 12 requests in any minute while the server fails (R-RETRY). Times: monotonic clock, oldest first. */

const budget = { requests: 12, windowMs: 60_000 } as const;

export type RequestTimes = readonly number[];

/** `spent` with a request that leaves now. */
export const record = (spent: RequestTimes, now: number): RequestTimes =>
  [...spent.filter((at) => at > now - budget.windowMs), now].slice(-budget.requests);

/** When the next request may leave; a time in the past means now. */
export const nextSlotAt = (spent: RequestTimes): number =>
  spent.length < budget.requests ? 0 : (spent.at(-budget.requests) ?? 0) + budget.windowMs;
