/** Computes how long to wait after failures (R-RETRY), in milliseconds. */

const baseMs = 1_000;
const ceilingMs = 60_000;
const longestTimerMs = 2 ** 31 - 1;

/** Full jitter over an exponentially growing range, at least a second. `failures`: in a row, counted from 1. */
export function backoffMs(failures: number, random: () => number): number {
  const range = Math.min(ceilingMs, baseMs * 2 ** Math.min(failures, 16));
  return Math.max(baseMs, Math.round(random() * range));
}

/** A whole number of milliseconds that a timer can wait; a longer one would fire at once. */
export const timerMs = (delayMs: number): number => Math.min(Math.max(0, Math.ceil(delayMs)), longestTimerMs);
