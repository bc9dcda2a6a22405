/** JSON from outside: exact integers, bounded depth, errors that say nothing of the input. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonProblem, parseJson } from '../../src/protocol/json.ts';
import { processorTime } from '../support/system/processor-time.ts';

describe('parseJson', () => {
  test('keeps the digits of integers beyond 2^53, and reads everything else like JSON.parse', () => {
    const text =
      '{"id":12345678901234567890,"n":-9007199254740993,"safe":9007199254740991,"f":1234567890.1234567,"e":1e400}';
    expect(parseJson(text)).toEqual({
      id: '12345678901234567890',
      n: '-9007199254740993',
      safe: 9007199254740991,
      f: 1234567890.1234567,
      e: Number.POSITIVE_INFINITY,
    });
  });

  test('keeps the text of a number that would be rounded to an integer, and reads an integer', () => {
    const text =
      '[7e-400, 7.0000000000000000001, -9007199254740990.7, 9007199254740990.7e0, 7e2, 1.760000000e9, 7.0000000000000000, 0e-400, 7.25e-3]';
    expect(parseJson(text)).toEqual([
      '7e-400',
      '7.0000000000000000001',
      '-9007199254740990.7',
      '9007199254740990.7e0',
      700,
      1_760_000_000,
      7,
      0,
      0.00725,
    ]);
    for (const odd of ['[01.0000000000000000001]', '[7e-400e1]', '[7.e-40000000000000]', '{7e-400:1}'])
      expect(() => parseJson(odd)).toThrow(JsonProblem);
  });

  test('leaves digits inside of strings, whatever is escaped', () => {
    const value = ['12345678901234567890', '\\', '\\"12345678901234567890', '"', '[[[', '\\\\"'];
    expect(parseJson(JSON.stringify(value))).toEqual(value);
  });

  test('reads any JSON value, with big integers between its tokens', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        const wrapped = `[${text},98765432109876543210,${text}]`;
        const plain: unknown = JSON.parse(text);
        expect(parseJson(wrapped)).toEqual([parseJson(text), '98765432109876543210', parseJson(text)]);
        if (!/\d{16}/.test(text)) expect(parseJson(text)).toEqual(plain);
      }),
    );
  });

  test('reads 64 levels and refuses 65, however long the text', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(() => parseJson(nested(64))).not.toThrow();
    expect(() => parseJson(nested(65))).toThrow(JsonProblem);
    expect(() => parseJson(nested(100_000))).toThrow(JsonProblem);
    expect(parseJson(`"${'['.repeat(100)}"`)).toBe('['.repeat(100));
  });

  test('skips a byte order mark', () => {
    expect(parseJson('\ufeff{}')).toEqual({});
  });

  test.each([
    '',
    '{',
    '{"a":1,}',
    '{12345678901234567890:1}',
    '-',
    '01234567890123456789',
    '"\u001b]52;c;x\u0007',
    'nul',
  ])('refuses %j, which is not JSON, with an error that contains nothing of it', (text) => {
    expect(() => parseJson(text)).toThrow(/^not JSON$/);
  });

  test('never throws anything else', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'{}[]",:\\0123456789-+eE. \ntrue\u001b'), maxLength: 60 }),
        (text) => {
          try {
            parseJson(text);
          } catch (error) {
            expect(error).toBeInstanceOf(JsonProblem);
          }
        },
      ),
    );
  });

  test('takes linear time', () => {
    const long = `7.${'0'.repeat(1_000_000)}1`;
    const text = `[${'"\\\\\\"",12345678901234567890,'.repeat(90_000)}${long},${long}0]`;
    const spent = processorTime();
    parseJson(text);
    expect(spent()).toBeLessThan(2000);
  });
});
