import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeForm, FormError, type FormValue, formLimits } from '../../src/protocol/form-decode.ts';

const plain = (value: FormValue): unknown =>
  value instanceof Map ? Object.fromEntries([...value].map(([name, item]) => [name, plain(item)])) : value;

describe('decodeForm', () => {
  test.each([
    ['', {}],
    ['a=1&b=2', { a: '1', b: '2' }],
    ['a', { a: '' }],
    ['a=b=c', { a: 'b=c' }],
    ['a=1+2%20%2B', { a: '1 2 +' }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a[b][]=1&a[c]=2', { a: { b: ['1'], c: '2' } }],
    ['a[%F0%9F%91%8D][]=x', { a: { '👍': ['x'] } }],
    ['%61%5Bb%5D=1', { a: { b: '1' } }],
    ['a[][b]=1&a[][c]=2&a[][b]=3', { a: { 0: { b: '1', c: '2' }, 1: { b: '3' } } }],
    ['a[][b][]=1&a[][b][]=2&a[][c][]=3', { a: { 0: { b: ['1', '2'], c: ['3'] } } }],
    ['a[][b][c]=1&a[][b][d]=2&a[][b][c]=3', { a: { 0: { b: { c: '1', d: '2' } }, 1: { b: { c: '3' } } } }],
  ])('%s', (text, expected) => {
    expect(plain(decodeForm(text))).toEqual(expected);
  });

  test.each([
    '=1',
    'a=1&a=2',
    'a[=1',
    'a]=1',
    'a[b]c=1',
    'a[][][b]=1',
    'a[][b]=1&a[0][c]=2',
    'a[0][b]=1&a[][c]=2',
    'a[][b]=1&a[]=2',
    'a=1&a[][b]=2',
    'a[b][c][d][e]=1',
    'a=1&a[]=2',
    'a[]=1&a[b]=2',
    'a=%',
    'a=%ff',
    'a=%00',
  ])('%s is refused', (text) => {
    expect(() => decodeForm(text)).toThrow(FormError);
  });

  test('takes a thousand pairs, and not one more', () => {
    const pairs = (count: number) => Array.from({ length: count }, (_, n) => `a[]=${n}`).join('&');
    expect(decodeForm(pairs(formLimits.pairs)).get('a')).toHaveLength(1000);
    expect(() => decodeForm(pairs(formLimits.pairs + 1))).toThrow(FormError);
  });

  test('finds a pair after more than a thousand separators', () => {
    expect(decodeForm(`&a=1${'&'.repeat(2000)}b=2&`)).toEqual(
      new Map([
        ['a', '1'],
        ['b', '2'],
      ]),
    );
  });

  test('treats names of the object prototype as ordinary names', () => {
    const form = decodeForm('__proto__[x]=1&constructor=2');
    expect(form.get('constructor')).toBe('2');
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  test('reads back whatever is encoded', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string({ minLength: 1 }).filter((name) => !/[[\]\0]/.test(name)),
          text,
        ),
        (fields) => {
          const encoded = new URLSearchParams(fields).toString();
          expect(Object.fromEntries(decodeForm(encoded))).toEqual({ ...fields });
        },
      ),
      { numRuns: 200 },
    );
  });

  test('answers any input with a form or a FormError', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a&=[\]%0f]{0,40}$/), (text) => {
        try {
          decodeForm(text);
        } catch (error) {
          expect(error).toBeInstanceOf(FormError);
        }
      }),
      { numRuns: 500 },
    );
  });
});
