import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTypedDate } from '../../src/text/typed-date.ts';

/** A Sunday, in the afternoon. */
const now = new Date(2026, 10, 22, 15, 30).getTime();

function dayOf(typed: string, at = now): string | null {
  const found = parseTypedDate(typed, at);
  if (found === null) return null;
  const date = new Date(found);
  expect([date.getHours(), date.getMinutes(), date.getSeconds()]).toEqual([0, 0, 0]);
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
}

describe('a typed date', () => {
  test.each([
    ['2026-11-03', '2026-11-3'],
    ['2026-1-3', '2026-1-3'],
    ['2025-06', '2025-6-1'],
    ['2025', '2025-1-1'],
    ['3 nov', '2026-11-3'],
    ['  3  NOV ', '2026-11-3'],
    ['3rd november', '2026-11-3'],
    ['3. November 2024', '2024-11-3'],
    ['nov 3', '2026-11-3'],
    ['Nov 3, 2024', '2024-11-3'],
    ['november', '2026-11-1'],
    ['sept', '2026-9-1'],
    ['may 2024', '2024-5-1'],
    ['3.11.', '2026-11-3'],
    ['3.11', '2026-11-3'],
    ['3. 11. 2024', '2024-11-3'],
    ['3.11.24', '2024-11-3'],
    ['24 dec', '2025-12-24'],
    ['23.11.', '2025-11-23'],
    ['22.11.', '2026-11-22'],
    ['29 feb', '2024-2-29'],
    ['today', '2026-11-22'],
    ['yesterday', '2026-11-21'],
    ['sunday', '2026-11-22'],
    ['last sunday', '2026-11-15'],
    ['monday', '2026-11-16'],
    ['mon', '2026-11-16'],
    ['thurs', '2026-11-19'],
    ['last week', '2026-11-9'],
    ['this week', '2026-11-16'],
    ['last month', '2026-10-1'],
    ['last year', '2025-1-1'],
    ['2 weeks ago', '2026-11-8'],
    ['a week ago', '2026-11-15'],
    ['1 day ago', '2026-11-21'],
    ['3 months ago', '2026-8-22'],
    ['1 year ago', '2025-11-22'],
    ['2027-03-01', '2027-3-1'],
  ])('%s', (typed, day) => {
    expect(dayOf(typed)).toBe(day);
  });

  test.each(['', 'ferry', '31 feb', '2026-13-01', '2026-02-30', '0.1.', '32.1.', '11/3', 'ago', 'nov nov', '99999'])(
    '%j is not a date',
    (typed) => {
      expect(dayOf(typed)).toBe(null);
    },
  );

  test('a month before the last day of a month stays in the month before', () => {
    expect(dayOf('1 month ago', new Date(2026, 2, 31).getTime())).toBe('2026-2-28');
  });

  test('any text is read without an error, and never as an invalid time', () => {
    const word = fc.constantFrom('last', 'nov', '3', '3.', '.', '-', '2026', 'ago', 'weeks', 'a', ' ', '999', 'mon');
    const typed = fc.oneof(
      fc.string(),
      fc.array(word, { maxLength: 6 }).map((words) => words.join(' ')),
    );
    fc.assert(
      fc.property(typed, fc.oneof(fc.double(), fc.constant(now)), (text, at) => {
        expect(Number.isNaN(parseTypedDate(text, at) ?? 0)).toBe(false);
      }),
    );
  });
});
