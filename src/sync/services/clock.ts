/** The clocks of this machine. */
import { timerMs } from './backoff.ts';
import type { Clock } from './ports.ts';

export const systemClock: Clock = {
  now: Date.now,
  monotonic: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, timerMs(delayMs));
    return () => clearTimeout(timer);
  },
};
