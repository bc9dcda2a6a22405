/** What is remembered of lists is bounded, also where they are long. */
import { expect, test } from 'vitest';
import { createUnchangedLists, type UnchangedLists } from '../../../src/server/http/unchanged-lists.ts';

const people = { lastActive: async () => [] };
const million = 1_000_000;

function keepTwice(lists: UnchangedLists, key: string, json: string): void {
  for (const _ of [1, 2]) lists.keep(key, 1, { etag: `"${key}"`, json });
}

test('the text of a list is remembered when it is read for the second time', async () => {
  const lists = createUnchangedLists(people);
  lists.keep('page', 1, { etag: '"one"', json: 'x' });
  expect(await lists.find('page', 1)).toEqual({ etag: '"one"', json: null });
  lists.keep('page', 2, { etag: '"two"', json: 'xx' });
  expect(await lists.find('page', 1)).toBeNull();
  expect(await lists.find('page', 2)).toEqual({ etag: '"two"', json: 'xx' });
});

test('the texts of older lists are forgotten before their ETags', async () => {
  const lists = createUnchangedLists(people);
  for (let n = 0; n < 40; n += 1) keepTwice(lists, `${n}`, 'x'.repeat(million));
  expect(await lists.find('0', 1)).toEqual({ etag: '"0"', json: null });
  expect((await lists.find('39', 1))?.json).toHaveLength(million);
  expect((await lists.find('24', 1))?.json).toHaveLength(million);
});

test('a list that is stored again counts once', async () => {
  const lists = createUnchangedLists(people);
  keepTwice(lists, 'first', 'x');
  for (let n = 0; n < 100; n += 1) lists.keep('again', n, { etag: `"${n}"`, json: 'x'.repeat(million) });
  expect(await lists.find('first', 1)).toEqual({ etag: '"first"', json: 'x' });
  expect(await lists.find('again', 98)).toBeNull();
});

test('a list that is requested stays while others are forgotten', async () => {
  const lists = createUnchangedLists(people);
  keepTwice(lists, 'first', 'x');
  for (let n = 0; n < 100; n += 1) {
    keepTwice(lists, `${n}`, 'x'.repeat(million));
    expect(await lists.find('first', 1)).toEqual({ etag: '"first"', json: 'x' });
  }
});

test('at most 20,000 lists are remembered', async () => {
  const lists = createUnchangedLists(people);
  for (let n = 0; n <= 20_000; n += 1) keepTwice(lists, `${n}`, '');
  expect(await lists.find('0', 1)).toBeNull();
  expect(await lists.find('20000', 1)).toEqual({ etag: '"20000"', json: '' });
});

test('lists with long queries are not remembered, as the queries alone would take hundreds of megabytes', async () => {
  const lists = createUnchangedLists(people);
  const longest = `1 /v1/conversations?muted=false&archived=false&pinned=false&limit=100&group_id=${'g'.repeat(64)}&starting_after=${'c'.repeat(64)}`;
  keepTwice(lists, longest, 'x');
  expect(await lists.find(longest, 1)).toEqual({ etag: `"${longest}"`, json: 'x' });
  const padded = `1 /v1/messages?limit=1${'&'.repeat(14_000)}`;
  keepTwice(lists, padded, 'x');
  expect(await lists.find(padded, 1)).toBeNull();
});

test('an earlier text of a list is never returned for a later one', async () => {
  const lists = createUnchangedLists(people);
  keepTwice(lists, 'page', 'old');
  // So many that the list is forgotten, but not its text.
  for (let n = 0; n < 20_000; n += 1) lists.keep(`${n}`, 1, { etag: `"${n}"`, json: '' });
  expect(await lists.find('page', 1)).toBeNull();
  lists.keep('page', 2, { etag: '"new"', json: 'new' });
  expect(await lists.find('page', 2)).toEqual({ etag: '"new"', json: null });
});
