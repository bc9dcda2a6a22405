import { expect, test } from 'vitest';
import { checkedOptions } from '../../../src/cli/export/export-options.ts';

test('--since takes the same values as that of read and tail', () => {
  const since = (typed: string): number | null => checkedOptions(['ann'], { since: typed }).since;
  expect(Math.abs((since('2h') ?? 0) - (Date.now() - 7_200_000))).toBeLessThan(60_000);
  expect(since('2026-11-19T14:00Z')).toBe(Date.UTC(2026, 10, 19, 14));
  expect(() => since('soon')).toThrow(
    '--since: "soon" is not a date; write 2026-11-19, 2026-11-19T14:00Z, yesterday or 2h',
  );
});

test('names of conversations and --all exclude each other, and one of them is needed', () => {
  expect(() => checkedOptions(['ann'], { all: true })).toThrow('give the names of conversations or --all, not both');
  expect(() => checkedOptions([], {})).toThrow('name the conversations to export, or give --all for all of them');
});
