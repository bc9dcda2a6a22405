/** How long to wait after failures in a row (R-RETRY). */

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
