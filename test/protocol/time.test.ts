/** Times in every unit and spelling. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatTime, parseHttpDate, parseTime } from '../../src/protocol/time.ts';

const at = Date.UTC(2026, 10, 21, 10, 0, 0);

test.each([
  [at / 1000, { kind: 'number', unit: 's' }],
  [at, { kind: 'number', unit: 'ms' }],
  [at * 1000, { kind: 'number', unit: 'us' }],
  [at * 1e6, { kind: 'number', unit: 'ns' }],
  [String(at / 1000), { kind: 'digits', unit: 's' }],
  [`${at}000000`, { kind: 'digits', unit: 'ns' }],
  ['2026-11-21T10:00:00Z', { kind: 'iso' }],
  ['2026-11-21T12:00:00.000+02:00', { kind: 'iso' }],
  ['2026-11-21 12:00:00+02', { kind: 'iso' }],
  ['2026-11-21T10:00', { kind: 'iso' }],
])('%s is read as a time in the format %j', (value, format) => {
  expect(parseTime(value, at)).toEqual({ at, format });
});

test.each([
  0,
  -5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  '0',
  '',
  '-5',
  'yesterday',
  '2026-13-40',
  'Sat, 41 Nov 2026 10:00:00 GMT',
  'Sat, 21 Nov 2026 10:00:00 local',
  '21 Brumaire 2026 10:00:00 GMT',
  null,
  true,
  {},
  [at],
  '1e9',
  '9'.repeat(400),
])('%s is not read as a time', (value) => {
  expect(parseTime(value, at)).toEqual({ at: null, format: null });
});

test('a time before 1990 or more than two days ahead is not accepted', () => {
  const day = 86_400_000;
  expect(parseTime((at + 3 * day) / 1000, at).at).toBeNull();
  expect(parseTime((at + day) / 1000, at).at).toBe(at + day);
  expect(parseTime(Date.UTC(1989, 0, 1) / 1000, at).at).toBeNull();
});

test('a time that is written in the way it was read is the same', () => {
  const earliest = Date.UTC(1990, 0, 2);
  fc.assert(
    fc.property(
      fc.integer({ min: earliest / 1000, max: at / 1000 }),
      fc.constantFrom('s', 'ms', 'us', 'ns'),
      (second, unit) => {
        const text = formatTime(second * 1000, { kind: 'digits', unit });
        // Below 1e11 ms (March 1973) a number is seconds; everything later is read in its own unit.
        expect(parseTime(text, at)).toEqual({ at: second * 1000, format: { kind: 'digits', unit } });
      },
    ),
  );
  expect(formatTime(at, { kind: 'iso' })).toBe('2026-11-21T10:00:00.000Z');
  expect(formatTime(8.65e15, { kind: 'iso' })).toBe('');
});

test('texts that are not HTTP dates are ignored', () => {
  for (const text of ['', 'Sat, 21 Foo 2026 10:00:30 GMT', 'Sat, 21 anF 2026 10:00:30 GMT', null]) {
    expect(parseHttpDate(text)).toBeNull();
  }
  expect(parseHttpDate('Sat, 21 Nov 2026 10:00:00 GMT')).toBe(at);
});
