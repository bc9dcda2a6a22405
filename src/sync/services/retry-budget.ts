/** So many requests in any minute: times on the monotonic clock, oldest first (R-RETRY). */

const budget = { requests: 12, windowMs: 60_000 } as const;

export type RequestTimes = readonly number[];

export const record = (spent: RequestTimes, now: number): RequestTimes =>
  [...spent.filter((at) => at > now - budget.windowMs), now].slice(-budget.requests);

/** When the next one may leave; in the past = now. */
export const nextSlotAt = (spent: RequestTimes): number =>
  spent.length < budget.requests ? 0 : (spent.at(-budget.requests) ?? 0) + budget.windowMs;
