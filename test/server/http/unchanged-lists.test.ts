/** What is remembered of lists is bounded, also where they are long. */
import { expect, test } from 'vitest';
import { createUnchangedLists } from '../../../src/server/http/unchanged-lists.ts';

const people = { lastActive: async () => [] };
const million = 1_000_000;

test('the texts of the oldest lists are forgotten before their ETags', async () => {
  const lists = createUnchangedLists(people);
  for (let n = 0; n < 40; n += 1) lists.keep(`${n}`, 1, { etag: `"${n}"`, json: 'x'.repeat(million) });
  const found = await Promise.all(Array.from({ length: 40 }, (_, n) => lists.find(`${n}`, 1)));
  expect(found.map((list) => list?.etag)).toEqual(Array.from({ length: 40 }, (_, n) => `"${n}"`));
  expect(found.map((list) => list?.json?.length ?? null)).toEqual([...Array(8).fill(null), ...Array(32).fill(million)]);
});

test('a list that is kept again counts once', async () => {
  const lists = createUnchangedLists(people);
  lists.keep('first', 1, { etag: '"first"', json: 'x' });
  for (let n = 0; n < 100; n += 1) lists.keep('again', n, { etag: `"${n}"`, json: 'x'.repeat(million) });
  expect(await lists.find('first', 1)).toEqual({ etag: '"first"', json: 'x' });
  expect(await lists.find('again', 98)).toBeNull();
});

test('at most 20,000 lists are remembered', async () => {
  const lists = createUnchangedLists(people);
  for (let n = 0; n <= 20_000; n += 1) lists.keep(`${n}`, 1, { etag: `"${n}"`, json: '' });
  expect(await lists.find('0', 1)).toBeNull();
  expect(await lists.find('1', 1)).toEqual({ etag: '"1"', json: '' });
});
