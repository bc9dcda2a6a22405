/** A token bucket for each access token: 20 requests a second, 60 in a burst (server-differences: Rate limits). */
import { ServiceError } from '../rules/service-error.ts';

export const rate = { perSecond: 20, burst: 60 } as const;

interface Bucket {
  level: number;
  /** Milliseconds of the monotonic clock. */
  at: number;
}

/** Throws 429 with `Retry-After` when the owner has used up the burst. */
export type RateLimiter = (owner: number) => void;

/** `monotonic`: milliseconds. */
export function createRateLimiter(monotonic: () => number = () => performance.now()): RateLimiter {
  const buckets = new Map<number, Bucket>();
  return (owner) => {
    const now = monotonic();
    const bucket = buckets.get(owner) ?? { level: rate.burst, at: now };
    buckets.set(owner, bucket);
    bucket.level = Math.min(rate.burst, bucket.level + ((now - bucket.at) / 1000) * rate.perSecond);
    bucket.at = now;
    if (bucket.level < 1) {
      const seconds = Math.ceil((1 - bucket.level) / rate.perSecond);
      throw new ServiceError(429, 'rate_limited', 'Too many requests.', {
        headers: { 'Retry-After': String(seconds) },
      });
    }
    bucket.level -= 1;
  };
}
