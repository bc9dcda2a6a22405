import { processorTime } from '../system/processor-time.ts';

/**
 * The milliseconds of the fastest of several runs, which stop at the first below `enoughMs`: on a busy machine most runs
 * are interrupted, and what is too slow by itself is too slow every time. A run counts with the processor time of this
 * process where that is less than the time that has passed.
 */
export function fastest(enoughMs: number, run: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 20 && best >= enoughMs; i++) {
    const start = performance.now();
    const spent = processorTime();
    run();
    best = Math.min(best, performance.now() - start, spent());
  }
  return best;
}
