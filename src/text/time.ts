/** Writes times for people, in the local time zone, in English, without `Intl` (too slow to make at the start). */
import { literal, type SafeText } from './safe-text.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** Milliseconds since 1970, or nothing known. */
type Moment = number | null;

function dateOf(at: Moment): Date | null {
  if (at === null) return null;
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? null : date;
}

const two = (value: number): string => String(value).padStart(2, '0');
const hours = (date: Date): string => `${two(date.getHours())}:${two(date.getMinutes())}`;
const weekday = (date: Date): string => weekdays[date.getDay()] ?? '';
const month = (date: Date): string => months[date.getMonth()] ?? '';

/** `14:02`; `--:--` when unknown. */
export function clockTime(at: Moment): SafeText {
  const date = dateOf(at);
  return date === null ? literal('--:--') : (hours(date) as SafeText);
}

/** `14:02:31`; `--:--:--` when unknown. */
export function clockTimeSeconds(at: Moment): SafeText {
  const date = dateOf(at);
  return date === null ? literal('--:--:--') : (`${hours(date)}:${two(date.getSeconds())}` as SafeText);
}

/** `2026-11-19`, which sorts as text; 10 columns of dashes when unknown. */
export function localDay(at: Moment): SafeText {
  const date = dateOf(at);
  if (date === null) return literal('----------');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}` as SafeText;
}

/** `2026-11-19 14:02`, which sorts as text; 16 columns of dashes when unknown. */
export function localMinute(at: Moment): SafeText {
  const date = dateOf(at);
  return date === null ? literal('----------------') : (`${localDay(at)} ${hours(date)}` as SafeText);
}

/** A number that two moments share exactly when they are on the same local day (20241119); 0 when unknown. */
export function dayKey(at: Moment): number {
  const date = dateOf(at);
  return date === null ? 0 : (date.getFullYear() * 100 + date.getMonth() + 1) * 100 + date.getDate();
}

/** Calendar days from `date` to `now`; negative for the future. Summer time makes days of 23 and 25 hours. */
function daysBefore(date: Date, now: Date): number {
  const midnight = (of: Date): number => Date.UTC(of.getFullYear(), of.getMonth(), of.getDate());
  return Math.round((midnight(now) - midnight(date)) / day);
}

/** `Today`, `Yesterday`, `Thursday 19 November`, `Thursday 19 November 2020` in another year. */
export function dayLabel(at: Moment, now: number): SafeText {
  const date = dateOf(at);
  if (date === null) return literal('Date unknown');
  const today = dateOf(now);
  const days = today === null ? Number.NaN : daysBefore(date, today);
  if (days === 0) return literal('Today');
  if (days === 1) return literal('Yesterday');
  const year = date.getFullYear() === today?.getFullYear() ? '' : ` ${date.getFullYear()}`;
  return `${weekday(date)} ${date.getDate()} ${month(date)}${year}` as SafeText;
}

/** `3 March`, `3 March 2020` in another year. */
export function dateLabel(at: Moment, now: number): SafeText {
  const date = dateOf(at);
  if (date === null) return literal('an unknown date');
  const year = date.getFullYear() === dateOf(now)?.getFullYear() ? '' : ` ${date.getFullYear()}`;
  return `${date.getDate()} ${month(date)}${year}` as SafeText;
}

/** `19 November 2026, 14:02:31`: a moment in full. */
export function fullTime(at: Moment): SafeText {
  const date = dateOf(at);
  if (date === null) return literal('an unknown time');
  return `${date.getDate()} ${month(date)} ${date.getFullYear()}, ${clockTimeSeconds(at)}` as SafeText;
}

/** For lists, at most 9 columns: `14:02` today, `Yesterday`, `Thu` in the last six days, `19 Nov`, `Nov 2020`. */
export function listTime(at: Moment, now: number): SafeText {
  const date = dateOf(at);
  const today = dateOf(now);
  if (date === null || today === null) return literal('–');
  const days = daysBefore(date, today);
  if (days === 0) return hours(date) as SafeText;
  if (days === 1) return literal('Yesterday');
  if (days > 1 && days <= 6) return weekday(date).slice(0, 3) as SafeText;
  if (date.getFullYear() !== today.getFullYear()) return `${month(date).slice(0, 3)} ${date.getFullYear()}` as SafeText;
  return `${date.getDate()} ${month(date).slice(0, 3)}` as SafeText;
}

/** `just now`, `5 min ago`, `3 h ago`, `2 days ago`, then the date; a moment in the future counts as now. */
export function ago(at: Moment, now: number): SafeText {
  const date = dateOf(at);
  if (date === null) return literal('at an unknown time');
  const elapsed = now - date.getTime();
  if (elapsed < minute) return literal('just now');
  if (elapsed < hour) return `${Math.floor(elapsed / minute)} min ago` as SafeText;
  if (elapsed < day) return `${Math.floor(elapsed / hour)} h ago` as SafeText;
  const days = Math.floor(elapsed / day);
  if (days === 1) return literal('1 day ago');
  if (days < 7) return `${days} days ago` as SafeText;
  return `on ${date.getDate()} ${month(date)} ${date.getFullYear()}` as SafeText;
}
