/** Waits asked for by servers, sensible and not. */
import { describe, expect, test } from 'vitest';
import { retryAfterMs } from '../../../src/api/http/retry-after.ts';

const now = Date.UTC(2026, 10, 21, 10, 0, 0);
const wait = (headers: Record<string, string>, body: unknown = undefined, isLimited = true) =>
  retryAfterMs(new Map(Object.entries(headers)), body, isLimited, now);

test.each([
  ['0', 1000],
  ['7', 7000],
  ['3600', 300_000],
  ['999999999', 300_000],
  ['99999999999', null],
  ['-5', null],
  ['1e3', null],
  ['1.5', null],
  ['soon', null],
  ['Sat, 21 Nov 2026 10:00:30 GMT', 30_000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 1000],
  ['Thu, 01 Jan 2099 00:00:00 GMT', 300_000],
  ['2026-11-21T10:00:30Z', null],
  ['3, 5', 5000],
  ['Sat, 21 Nov 2026 10:00:30 GMT, 5', 30_000],
])('Retry-After: %s', (value, expected) => {
  expect(wait({ 'retry-after': value })).toBe(expected);
});

describe('other headers', () => {
  test('the longest pause of several headers counts', () => {
    expect(wait({ 'retry-after': '2', 'ratelimit-reset': '9' }, { retry_after: 4 })).toBe(9000);
    expect(wait({}, { parameters: { retry_after: 3 } })).toBe(3000);
    expect(wait({}, { retry_after_ms: 2500 })).toBe(2500);
    expect(wait({ 'x-ratelimit-reset-after': '1.25' })).toBe(1250);
  });

  test('x-ratelimit-reset is either a number of seconds or a point in time', () => {
    expect(wait({ 'x-ratelimit-reset': '20' })).toBe(20_000);
    expect(wait({ 'x-ratelimit-reset': String(now / 1000 + 20) })).toBe(20_000);
  });

  test('the rate-limit headers of an answer that is not 429 set no pause', () => {
    expect(wait({ 'x-ratelimit-reset': '20' }, { retry_after: 4 }, false)).toBeNull();
    expect(wait({ 'retry-after': '20' }, undefined, false)).toBe(20_000);
  });
});
