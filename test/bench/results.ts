/** The figures of a run: by program and label, each with its median and the figure of every round. */
import { median } from './statistics.ts';
import type { Figures } from './typing.ts';

export interface Machine {
  readonly node: string;
  readonly system: string;
  readonly processor: string;
  readonly cores: number;
}

export interface Results {
  /** ISO date. */
  readonly date: string;
  readonly machine: Machine;
  readonly isQuick: boolean;
  readonly rounds: number;
  /** Left out, and why. */
  readonly missing: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
  /** Program → label → the figure of each round; null for a round that failed. */
  readonly figures: Readonly<Record<string, Readonly<Record<string, readonly (number | null)[]>>>>;
}

/** Takes the rounds of each program. */
export function figuresOf(rounds: ReadonlyMap<string, readonly (Figures | null)[]>): Results['figures'] {
  return Object.fromEntries(
    [...rounds].map(([name, all]) => {
      const labels = [...new Set(all.flatMap((round) => Object.keys(round ?? {})))];
      return [name, Object.fromEntries(labels.map((label) => [label, all.map((round) => finite(round?.[label]))]))];
    }),
  );
}

const finite = (value: number | undefined): number | null =>
  value === undefined || !Number.isFinite(value) ? null : Math.round(value * 1000) / 1000;

export const medianOf = (results: Results, program: string, label: string): number | null => {
  const values = (results.figures[program]?.[label] ?? []).filter((value) => value !== null);
  return values.length === 0 ? null : median(values);
};

/** The median of what the rounds give, each divided within itself; null without a round that has both. */
export function ratioOf(results: Results, program: string, base: string, label: string): number | null {
  const above = results.figures[program]?.[label] ?? [];
  const below = results.figures[base]?.[label] ?? [];
  const ratios = above.flatMap((value, round) => {
    const divisor = below[round] ?? null;
    return value === null || divisor === null || divisor === 0 ? [] : [value / divisor];
  });
  return ratios.length === 0 ? null : median(ratios);
}
