/** Reads the moments that --since, --after and --before take. */
import { parseTypedDate } from '../../text/typed-date.ts';
import { ExitError, exitCodes } from '../process/exit.ts';

const units = { s: 1_000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** @throws ExitError 2 for what is neither a date, nor a time, nor a time span before now */
export function momentOf(option: string, typed: string, now: number): number {
  const span = /^(\d{1,6})\s?(s|m|min|h|d|w)$/.exec(typed.trim());
  if (span !== null) return now - Number(span[1]) * units[span[2] as keyof typeof units];
  const [day] = /^\d{4}-\d\d-\d\d(?=[T ]\d\d:\d\d)/.exec(typed.trim()) ?? [];
  // `Date.parse` takes 30 February for 2 March.
  const isDay = day !== undefined && parseTypedDate(day, now) !== null;
  const time = isDay ? Date.parse(typed.trim().replace(' ', 'T')) : Number.NaN;
  const at = Number.isNaN(time) ? parseTypedDate(typed, now) : time;
  if (at !== null) return at;
  throw new ExitError(
    exitCodes.usage,
    `${option}: "${typed}" is not a date; write 2026-11-19, 2026-11-19T14:00Z, yesterday or 2h`,
  );
}
