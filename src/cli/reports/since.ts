/** Reads the beginning of a period, as `--since` of `msg-tui ledger` gives it. */
import { InvalidArgumentError } from 'commander';

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/**
 * `90s`, `30m`, `2h`, `7d`, `1w`, or a date or time of ISO 8601 (`2026-11-22`, `2026-11-22T08:00`; local without a zone).
 * @returns milliseconds of the wall clock
 * @throws InvalidArgumentError
 */
export function parseSince(word: string, now: number = Date.now()): number {
  const [, count, unit = ''] = /^(\d{1,5})([smhdw])$/.exec(word) ?? [];
  if (count !== undefined) return now - Number(count) * (units[unit] ?? 0);
  const isDate = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?)?$/.test(word);
  // A date alone would be read as UTC.
  const at = isDate ? Date.parse(word.length === 10 ? `${word}T00:00` : word) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new InvalidArgumentError('Write it as in 30m, 2h or 7d, or as a date such as 2026-11-22.');
}
