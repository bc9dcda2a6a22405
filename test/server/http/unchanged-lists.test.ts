/** What is remembered of lists is bounded, also where they are long. */
import { expect, test } from 'vitest';
import { createUnchangedLists } from '../../../src/server/http/unchanged-lists.ts';
import type { Service } from '../../../src/server/rules/service.ts';

const service = { store: { people: { lastActive: async () => [] } } } as unknown as Service;
const mega = 1024 * 1024;

test('the texts of the oldest lists are forgotten before their tags', async () => {
  const lists = createUnchangedLists(service);
  for (let n = 0; n < 40; n += 1) lists.keep(`${n}`, 1, { tag: `"${n}"`, json: 'x'.repeat(mega) });
  const found = await Promise.all(Array.from({ length: 40 }, (_, n) => lists.find(`${n}`, 1)));
  expect(found.map((list) => list?.tag)).toEqual(Array.from({ length: 40 }, (_, n) => `"${n}"`));
  expect(found.map((list) => list?.json?.length ?? null)).toEqual([...Array(8).fill(null), ...Array(32).fill(mega)]);
});

test('a list that is kept again counts once', async () => {
  const lists = createUnchangedLists(service);
  lists.keep('first', 1, { tag: '"first"', json: 'x' });
  for (let n = 0; n < 100; n += 1) lists.keep('again', n, { tag: `"${n}"`, json: 'x'.repeat(mega) });
  expect(await lists.find('first', 1)).toEqual({ tag: '"first"', json: 'x' });
  expect(await lists.find('again', 98)).toBeNull();
});

test('at most 20,000 lists are remembered', async () => {
  const lists = createUnchangedLists(service);
  for (let n = 0; n <= 20_000; n += 1) lists.keep(`${n}`, 1, { tag: `"${n}"`, json: '' });
  expect(await lists.find('0', 1)).toBeNull();
  expect(await lists.find('1', 1)).toEqual({ tag: '"1"', json: '' });
});
