import { expect, test } from 'vitest';
import { batched } from '../../../src/server/store/batch.ts';

test('keys that are requested during a look-up are looked up together by the next one', async () => {
  const asked: (readonly string[])[] = [];
  const ends: (() => void)[] = [];
  const lookUp = batched<string, string>(async (keys) => {
    asked.push(keys);
    await new Promise<void>((resolve) => void ends.push(resolve));
    return keys.map((key) => key.toUpperCase());
  });
  const first = lookUp('a');
  const others = ['b', 'c'].map(lookUp);
  expect(asked).toEqual([['a']]);
  ends.shift()?.();
  expect(await first).toBe('A');
  expect(asked).toEqual([['a'], ['b', 'c']]);
  ends.shift()?.();
  expect(await Promise.all(others)).toEqual(['B', 'C']);
});

test('a failure reaches all who asked together, and the next look-up is made', async () => {
  let isDown = true;
  const lookUp = batched<number, number>(async (keys) => {
    if (isDown) throw new Error('the database is away');
    return keys;
  });
  const failed = await Promise.allSettled([lookUp(1), lookUp(2)]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isDown = false;
  expect(await lookUp(3)).toBe(3);
});
