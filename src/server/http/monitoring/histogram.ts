/** Counts how long requests took, in buckets. */
import type { Labels, Sample } from './text-format.ts';

/** Seconds. The last ones are reached only by requests that wait for a change. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const;

export interface Histogram {
  observe(seconds: number): void;
  samples(labels: Labels): readonly Sample[];
}

export function createHistogram(): Histogram {
  /** One more than there are bounds: the last one is for everything above. */
  const counts = new Array<number>(bounds.length + 1).fill(0);
  let sum = 0;
  return {
    observe: (seconds) => {
      const at = bounds.findIndex((bound) => seconds <= bound);
      const index = at < 0 ? bounds.length : at;
      counts[index] = (counts[index] ?? 0) + 1;
      sum += seconds;
    },
    samples: (labels) => {
      let below = 0;
      const buckets = counts.map((count, index): Sample => {
        below += count;
        const bound = bounds[index];
        return {
          suffix: '_bucket',
          labels: { ...labels, le: bound === undefined ? '+Inf' : String(bound) },
          value: below,
        };
      });
      return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: below }];
    },
  };
}
