/** How long to wait after failures in a row (R-RETRY). */

const baseMs = 1_000;
const ceilingMs = 60_000;

/** Full jitter over an exponentially growing range, at least a second. `failures`: in a row, counted from 1. */
export function backoffMs(failures: number, random: () => number): number {
  const range = Math.min(ceilingMs, baseMs * 2 ** Math.min(failures, 16));
  return Math.max(baseMs, Math.round(random() * range));
}
