/** One thing that was looked at: what was found, whether that is as it should be, and how to mend it. */

/** `note`: worth knowing, nothing is broken. */
export type Verdict = 'ok' | 'note' | 'wrong';

export interface Check {
  readonly section: string;
  readonly name: string;
  readonly verdict: Verdict;
  /** One line, raw text: it is cleaned where it is printed. */
  readonly text: string;
  readonly remedy: string | null;
}

/** What checks of one section have in common. */
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

/** `12 KB`, `3.4 GB`. */
export function bytes(count: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, count)) / 10));
  const value = count / 1024 ** power;
  return `${power === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}

/** `2 drafts`, `1 draft`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
