/** Limits the requests of each user: 20 a second, 60 in a burst (server-differences: Rate limits). */
import { ServiceError } from '../rules/service-error.ts';
import { isWithinRate } from '../store/postgres/rate-limit.ts';
import type { Sql } from '../store/sql.ts';

export const rate = { perSecond: 20, burst: 60 } as const;

/** The next request is allowed after a twentieth of a second, and a header says whole seconds. */
const tooMany = new ServiceError(429, 'rate_limited', 'Too many requests.', { headers: { 'Retry-After': '1' } });

interface Bucket {
  level: number;
  /** Milliseconds of the monotonic clock. */
  at: number;
}

/** Throws 429 with `Retry-After` when the owner has used up the burst. */
export type RateLimiter = (owner: number) => void | Promise<void>;

/** Counts the requests to all processes that use the same PostgreSQL database. */
export function createSharedRateLimiter(sql: Sql): RateLimiter {
  return async (owner) => {
    if (!(await isWithinRate(sql, owner, rate))) throw tooMany;
  };
}

/** Counts the requests to this process. `monotonic`: milliseconds. */
export function createRateLimiter(monotonic: () => number = () => performance.now()): RateLimiter {
  const buckets = new Map<number, Bucket>();
  return (owner) => {
    const now = monotonic();
    const bucket = buckets.get(owner) ?? { level: rate.burst, at: now };
    buckets.set(owner, bucket);
    bucket.level = Math.min(rate.burst, bucket.level + ((now - bucket.at) / 1000) * rate.perSecond);
    bucket.at = now;
    if (bucket.level < 1) throw tooMany;
    bucket.level -= 1;
  };
}
