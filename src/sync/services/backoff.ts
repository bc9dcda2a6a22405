/** Computes how long to wait after failures (R-RETRY), in milliseconds. */

const baseMs = 1_000;
const ceilingMs = 60_000;

/** Full jitter over an exponentially growing range, at least a second. `failures`: in a row, counted from 1. */
export function backoffMs(failures: number, random: () => number): number {
  const range = Math.min(ceilingMs, baseMs * 2 ** Math.min(failures, 16));
  return Math.max(baseMs, Math.round(random() * range));
}
