/** What the user has deleted is not left in unused parts of the files. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCache } from '../../src/storage/cache/open.ts';
import { openOutbox } from '../../src/storage/outbox/open.ts';
import { aDraft, aMessage, anOp, temporaryDirectory } from './builders.ts';

const filesWith = (directory: string, text: string): readonly string[] =>
  readdirSync(directory).filter((name) => readFileSync(join(directory, name)).includes(text));

const short = 'zebra crossing';
const long = `zebra crossing ${'and more '.repeat(2_000)}`;

test.each([short, long])('a deleted message is not left in the cache', (text) => {
  const directory = temporaryDirectory();
  const cache = openCache(directory);
  cache.saveMessages('c1', [aMessage({ id: 'm1', text: 'stays' }), aMessage({ id: 'm2', text })]);
  cache.removeMessages('c1', ['m2']);
  cache.close();
  expect(filesWith(directory, 'stays')).toEqual(['cache.db']);
  expect(filesWith(directory, short)).toEqual([]);
});

test.each([short, long])('a deleted message leaves the files of an open cache within seconds', async (text) => {
  const directory = temporaryDirectory();
  const cache = openCache(directory);
  cache.saveMessages('c1', [aMessage({ id: 'm1', text: 'stays' }), aMessage({ id: 'm2', text })]);
  cache.removeMessages('c1', ['m2']);
  expect(filesWith(directory, short)).toEqual(['cache.db-wal']);
  await expect.poll(() => filesWith(directory, short), { timeout: 10_000 }).toEqual([]);
  cache.saveMessages('c1', [aMessage({ id: 'm3', text })]);
  cache.removeConversation('c1');
  await expect.poll(() => filesWith(directory, short), { timeout: 10_000 }).toEqual([]);
  cache.close();
});

test.each([short, long])('a discarded draft or message is not left in the outbox', (text) => {
  const directory = temporaryDirectory();
  const outbox = openOutbox(directory);
  outbox.saveRecords([['drafts', 'c2', aDraft('stays')]]);
  outbox.saveRecords([['drafts', 'c1', aDraft(text)]]);
  outbox.saveRecords([['drafts', 'c1', null]]);
  outbox.enqueue(anOp({ uuid: 'u', action: { kind: 'message.send', conversationId: 'c1', text } }), null);
  outbox.discard('u');
  outbox.close();
  expect(filesWith(directory, 'stays')).toEqual(['outbox.db']);
  expect(filesWith(directory, short)).toEqual([]);
});
