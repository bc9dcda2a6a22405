/** Percentiles and medians of a few hundred numbers. */

/** Linear between neighbours; NaN of nothing. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = ((sorted.length - 1) * percent) / 100;
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? low;
  return low + (high - low) * (place - Math.floor(place));
}

export const median = (values: readonly number[]): number => percentile(values, 50);

/** A small generator with a seed: every round types the same at the same pace. */
export function createDice(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
