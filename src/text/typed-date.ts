/** Reads a day as people type it: `2026-11-03`, `3 nov`, `3.11.`, `yesterday`, `monday`, `last week`, `2 weeks ago`. */

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const monthNames = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november'],
  'december',
];
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** A date without a year is looked for in this many years: 29 February may be eight years away. */
const yearsBack = 8;
const longestInput = 40;

/**
 * Returns the midnight, in local time, at which the day begins; null for what is no date. A date without a year and a
 * day of the week are the last ones that are not in the future; a month or a year is its first day.
 */
export function parseTypedDate(typed: string, now: number): number | null {
  if (typed.length > longestInput) return null;
  const text = typed.toLowerCase().replace(/,/g, ' ').replace(/\s+/g, ' ').trim();
  const today = new Date(now);
  if (text === '' || Number.isNaN(today.getTime())) return null;
  const date = asWord(text, today) ?? asAgo(text, today) ?? asNumbers(text, today) ?? asMonth(text, today);
  return date === null || Number.isNaN(date.getTime()) ? null : date.getTime();
}

const daysFrom = (date: Date, days: number): Date =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate() + days);

/** Monday is the first day of a week. */
const weekOf = (date: Date): Date => daysFrom(date, -((date.getDay() + 6) % 7));

function asWord(text: string, today: Date): Date | null {
  const year = today.getFullYear();
  const month = today.getMonth();
  if (text === 'today') return daysFrom(today, 0);
  if (text === 'yesterday') return daysFrom(today, -1);
  if (text === 'this week') return weekOf(today);
  if (text === 'last week') return daysFrom(weekOf(today), -7);
  if (text === 'this month') return new Date(year, month, 1);
  if (text === 'last month') return new Date(year, month - 1, 1);
  if (text === 'this year') return new Date(year, 0, 1);
  if (text === 'last year') return new Date(year - 1, 0, 1);
  return asWeekday(text, today);
}

function asWeekday(text: string, today: Date): Date | null {
  const [, last, name = ''] = /^(last )?([a-z]{3,9})$/.exec(text) ?? [];
  const day = weekdays.findIndex((one) => one === name || (one.startsWith(name) && name.length < 6 && name.length > 2));
  if (name === '' || day < 0) return null;
  const back = (today.getDay() - day + 7) % 7;
  return daysFrom(today, -(back === 0 && last !== undefined ? 7 : back));
}

function asAgo(text: string, today: Date): Date | null {
  const [, count = '', unit] = /^(\d{1,4}|an?|one) (day|week|month|year)s? ago$/.exec(text) ?? [];
  const many = /^\d/.test(count) ? Number(count) : 1;
  if (unit === 'day') return daysFrom(today, -many);
  if (unit === 'week') return daysFrom(today, -7 * many);
  if (unit === 'month') return monthsBefore(today, many);
  if (unit === 'year') return monthsBefore(today, 12 * many);
  return null;
}

/** The same day of an earlier month, or the last one of a month that is shorter. */
function monthsBefore(today: Date, count: number): Date {
  const first = new Date(today.getFullYear(), today.getMonth() - count, 1);
  const length = new Date(first.getFullYear(), first.getMonth() + 1, 0).getDate();
  return new Date(first.getFullYear(), first.getMonth(), Math.min(today.getDate(), length));
}

function asNumbers(text: string, today: Date): Date | null {
  const iso = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/.exec(text);
  if (iso !== null) return dayIn(Number(iso[1]), Number(iso[2] ?? 1) - 1, Number(iso[3] ?? 1));
  const dotted = /^(\d{1,2})\. ?(\d{1,2})\.? ?(\d{4}|\d{2})?$/.exec(text);
  return dotted === null ? null : lastDay(Number(dotted[1]), Number(dotted[2]) - 1, yearOf(dotted[3]), today);
}

function asMonth(text: string, today: Date): Date | null {
  const dayFirst = /^(?:(\d{1,2})(?:st|nd|rd|th|\.)? )?([a-z]{3,9})\.?(?: (\d{4}))?$/.exec(text);
  const monthFirst = /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?(?: (\d{4}))?$/.exec(text);
  const [day, name, year] =
    monthFirst === null ? [dayFirst?.[1], dayFirst?.[2], dayFirst?.[3]] : [monthFirst[2], monthFirst[1], monthFirst[3]];
  const month = name === undefined ? -1 : monthOf(name);
  return month < 0 ? null : lastDay(Number(day ?? 1), month, yearOf(year), today);
}

function monthOf(name: string): number {
  if (name === 'sept') return months.indexOf('sep');
  const short = months.indexOf(name);
  return short >= 0 ? short : monthNames.indexOf(name);
}

const yearOf = (year: string | undefined): number | null =>
  year === undefined ? null : Number(year) + (year.length === 2 ? 2000 : 0);

/** The day in this year, or without one, the last such day that is not in the future. */
function lastDay(day: number, month: number, year: number | null, today: Date): Date | null {
  if (year !== null) return dayIn(year, month, day);
  for (let back = 0; back <= yearsBack; back++) {
    const date = dayIn(today.getFullYear() - back, month, day);
    if (date !== null && date.getTime() <= today.getTime()) return date;
  }
  return null;
}

/** null where the month does not have the day. `Date` takes years below 100 for others. */
function dayIn(year: number, month: number, day: number): Date | null {
  if (year < 1000 || month < 0 || month > 11) return null;
  const date = new Date(year, month, day);
  return date.getMonth() === month && date.getDate() === day ? date : null;
}
