/**
 * The type of the result of a check: what was found, whether it is right, and how to repair it. Also writes sizes and counts
 * with their units.
 */

/** `note`: the user should know it, but nothing is wrong. */
export type Verdict = 'ok' | 'note' | 'wrong';

export interface Check {
  readonly section: string;
  readonly name: string;
  readonly verdict: Verdict;
  /** One line of raw text, which is cleaned when it is printed. */
  readonly text: string;
  readonly remedy: string | null;
}

/** Makes the checks of one section. */
export interface Section {
  ok(name: string, text: string): Check;
  note(name: string, text: string, remedy?: string): Check;
  wrong(name: string, text: string, remedy?: string): Check;
}

export function sectionOf(section: string): Section {
  const make =
    (verdict: Verdict) =>
    (name: string, text: string, remedy?: string): Check => ({ section, name, verdict, text, remedy: remedy ?? null });
  return { ok: make('ok'), note: make('note'), wrong: make('wrong') };
}

/** Writes a size: `12 KB`, `3.4 GB`. */
export function bytes(count: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, count)) / 10));
  const value = count / 1024 ** power;
  return `${power === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}

/** Writes a number with its noun: `2 drafts`, `1 draft`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
