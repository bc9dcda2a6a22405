/** The memories: same inputs, same object; and none of them grows without end. */
import { describe, expect, test } from 'vitest';
import { memoBy, memoLast, RecentMap, sameList } from '../../../src/state/collections/memo.ts';

describe('memoLast', () => {
  test('computes again only when an argument is another object', () => {
    let calls = 0;
    const pair = memoLast((a: object, b: number) => {
      calls++;
      return { a, b };
    });
    const a = {};
    expect(pair(a, Number.NaN)).toBe(pair(a, Number.NaN));
    expect(calls).toBe(1);
    expect(pair({}, 1)).not.toBe(pair(a, 1));
  });
});

describe('memoBy', () => {
  test('computes again only when something that it names has changed', () => {
    let calls = 0;
    const length = memoBy(
      ({ text }: { text: string; other: number }) => [text],
      ({ text }) => {
        calls++;
        return [text.length];
      },
    );
    const first = length({ text: 'ab', other: 1 });
    expect(length({ text: 'ab', other: 2 })).toBe(first);
    expect(calls).toBe(1);
    expect(length({ text: 'abc', other: 2 })).toEqual([3]);
  });
});

describe('RecentMap', () => {
  test('keeps recently used entries and drops the others', () => {
    const map = new RecentMap<number, string>(10);
    for (let i = 0; i < 1000; i++) {
      map.set(i, `v${i}`);
      expect(map.get(0)).toBe('v0');
    }
    const others = Array.from({ length: 999 }, (_, i) => i + 1);
    expect(others.filter((i) => map.get(i) !== undefined).length).toBeLessThanOrEqual(22);
    expect(map.get(0)).toBe('v0');
  });

  test('returns the newest value, whichever generation the old one was in', () => {
    const map = new RecentMap<string, number>(2);
    map.set('a', 1);
    for (const other of ['b', 'c', 'd']) map.set(other, 0);
    map.set('a', 2);
    expect(map.get('a')).toBe(2);
    for (const other of ['e', 'f', 'g', 'h', 'i']) map.set(other, 0);
    expect(map.get('a')).toBeUndefined();
  });
});

test('sameList compares item by item', () => {
  const item = {};
  expect(sameList([item, 1], [item, 1])).toBe(true);
  expect(sameList([item], [{}])).toBe(false);
  expect(sameList([item], [item, item])).toBe(false);
});
