/** How long the program waits after failures in a row. */
import { expect, test } from 'vitest';
import { backoffMs } from '../../../src/sync/services/backoff.ts';

test('the longest wait doubles with each failure and ends at a minute', () => {
  const longest = [1, 2, 3, 4, 5, 6, 7, 5_000].map((failures) => backoffMs(failures, () => 1));
  expect(longest).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
});

test('the wait is spread over the whole range, but never below a second', () => {
  expect([0, 0.1, 0.5, 1].map((random) => backoffMs(4, () => random))).toEqual([1_000, 1_600, 8_000, 16_000]);
});
