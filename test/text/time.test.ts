import { describe, expect, test } from 'vitest';
import {
  ago,
  clockTime,
  clockTimeSeconds,
  dayKey,
  dayLabel,
  listTime,
  localDay,
  localMinute,
} from '../../src/text/time.ts';

const at = (year: number, month: number, day: number, hours = 12, minutes = 0, seconds = 0): number =>
  new Date(year, month - 1, day, hours, minutes, seconds).getTime();
const now = at(2026, 11, 21, 14, 2, 31);

describe('times', () => {
  test('show the time of day', () => {
    expect(clockTime(now)).toBe('14:02');
    expect(clockTimeSeconds(now)).toBe('14:02:31');
    expect(clockTime(at(2026, 1, 2, 3, 4))).toBe('03:04');
  });

  test('show a day and a minute that sort as text', () => {
    expect(localDay(at(2026, 1, 2))).toBe('2026-01-02');
    expect(localMinute(at(2026, 1, 2, 3, 4))).toBe('2026-01-02 03:04');
    expect([localDay(null), localMinute(Number.NaN)]).toEqual(['-'.repeat(10), '-'.repeat(16)]);
  });

  test('show the date of a day line', () => {
    expect(dayLabel(now, now)).toBe('Today');
    expect(dayLabel(at(2026, 11, 20, 23, 59), now)).toBe('Yesterday');
    expect(dayLabel(at(2026, 11, 19), now)).toBe('Thursday 19 November');
    expect(dayLabel(at(2024, 2, 29), now)).toBe('Thursday 29 February 2024');
    expect(dayLabel(at(2026, 11, 22), now)).toBe('Sunday 22 November');
  });

  test('show a short time in a list', () => {
    expect(listTime(at(2026, 11, 21, 0, 1), now)).toBe('00:01');
    expect(listTime(at(2026, 11, 20), now)).toBe('Yesterday');
    expect(listTime(at(2026, 11, 15), now)).toBe('Sun');
    expect(listTime(at(2026, 11, 14), now)).toBe('14 Nov');
    expect(listTime(at(2024, 11, 14), now)).toBe('Nov 2024');
    expect(listTime(at(2026, 11, 23), now)).toBe('23 Nov');
    for (let days = 0; days < 800; days++) expect(listTime(now - days * 86_400_000, now).length).toBeLessThanOrEqual(9);
  });

  test('show how long ago something was', () => {
    expect(ago(now - 59_000, now)).toBe('just now');
    expect(ago(now + 60_000, now)).toBe('just now');
    expect(ago(now - 5 * 60_000, now)).toBe('5 min ago');
    expect(ago(now - 3 * 3_600_000, now)).toBe('3 h ago');
    expect(ago(now - 30 * 3_600_000, now)).toBe('1 day ago');
    expect(ago(now - 6 * 86_400_000, now)).toBe('6 days ago');
    expect(ago(at(2026, 3, 9), now)).toBe('on 9 March 2026');
  });

  test('have keys that are the same within a day only', () => {
    expect(dayKey(at(2026, 11, 21, 0, 0))).toBe(dayKey(at(2026, 11, 21, 23, 59)));
    expect(dayKey(at(2026, 11, 21, 23, 59))).not.toBe(dayKey(at(2026, 11, 22, 0, 0)));
    expect(dayKey(at(2026, 11, 21))).toBe(20261121);
  });

  test.each([null, Number.NaN, 8.65e15, Number.POSITIVE_INFINITY])('%s is shown as unknown', (unknown) => {
    expect(clockTime(unknown)).toBe('--:--');
    expect(clockTimeSeconds(unknown)).toBe('--:--:--');
    expect(dayLabel(unknown, now)).toBe('Date unknown');
    expect(listTime(unknown, now)).toBe('–');
    expect(ago(unknown, now)).toBe('at an unknown time');
    expect(dayKey(unknown)).toBe(0);
  });
});
