/** A large map behaves as a plain one, shares what did not change, and reports what did. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  eachChange,
  withEntries,
  withEntry,
  withoutEntries,
  withoutEntry,
} from '../../../src/state/collections/sharded-map.ts';

const large = (count: number): ReadonlyMap<string, number> =>
  withEntries(
    new Map<string, number>(),
    Array.from({ length: count }, (_, index) => [`id-${index}`, index] as const),
  );

function changesOf(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>) {
  const found = new Map<string, readonly [number | undefined, number | undefined]>();
  eachChange(before, after, (key, value, held) => found.set(key, [held, value]));
  return found;
}

describe('copies', () => {
  test('are equal to a plain map, at any size', () => {
    const key = fc.integer({ min: 0, max: 900 }).map((index) => `id-${index}`);
    const step = fc.oneof(
      fc.record({ set: fc.array(fc.tuple(key, fc.integer({ min: 0, max: 3 })), { maxLength: 700 }) }),
      fc.record({ remove: fc.array(key, { maxLength: 100 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let map: ReadonlyMap<string, number> = new Map();
        let plain = new Map<string, number>();
        for (const one of steps) {
          const before = { map, plain: new Map(plain) };
          if ('set' in one) {
            map = withEntries(map, one.set);
            for (const [id, value] of one.set) plain.set(id, value);
          } else {
            map = withoutEntries(map, one.remove);
            plain = new Map([...plain].filter(([id]) => !one.remove.includes(id)));
          }
          expect(map.size).toBe(plain.size);
          expect(new Map(map)).toEqual(plain);
          expect([...map.keys()].sort()).toEqual([...plain.keys()].sort());
          expect([...before.map.entries()].sort()).toEqual([...before.plain].sort());
          expect(changesOf(before.map, map)).toEqual(changesOf(before.plain, plain));
        }
      }),
      { numRuns: 60 },
    );
  });

  test('are the same map when nothing changes', () => {
    for (const map of [large(3), large(5_000)]) {
      expect(withEntry(map, 'id-2', 2)).toBe(map);
      expect(withoutEntry(map, 'nobody')).toBe(map);
      expect(withEntry(map, 'id-2', 9)).not.toBe(map);
    }
  });

  test('of a large map touch what changes and no more', () => {
    const map = large(100_000);
    let looked = 0;
    eachChange(map, withEntry(withoutEntry(map, 'id-7'), 'id-70000', -1), () => {
      looked += 1;
    });
    expect(looked).toBe(2);
    const began = process.cpuUsage().user;
    let copy = map;
    for (let index = 0; index < 1_000; index++) copy = withEntry(copy, `id-${index * 97}`, -1);
    // A thousand plain copies of this size take seconds.
    expect((process.cpuUsage().user - began) / 1000).toBeLessThan(2_000);
    expect(map.get('id-97')).toBe(97);
  });
});
