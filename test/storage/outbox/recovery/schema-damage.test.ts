/** Damage that SQLite's own check does not see: the definitions of the tables, and the format of the file. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCache } from '../../../../src/storage/cache/open.ts';
import { openOutbox } from '../../../../src/storage/outbox/open.ts';
import { fromColumn } from '../../../../src/storage/sqlite/sqlite-text.ts';
import { aConversation, aDraft, anOp, listOf, temporaryDirectory } from '../../builders.ts';

const words = (text: string, other: string) => (bytes: Buffer) => void bytes.write(other, bytes.indexOf(text));

test.each([
  ['a column of the outbox', words('action TEXT', 'actioo TEXT')],
  ['a column of the records', words('json TEXT', 'jsox TEXT')],
  ['a number of the outbox', words('scans INTEGER', 'scanz INTEGER')],
  ['the format of the file', (bytes: Buffer) => void bytes.writeUInt8(0x85, 47)],
  ['the version of the tables', (bytes: Buffer) => void bytes.writeUInt32BE(0, 60)],
])('%s: everything is saved into a new file', (_, damage) => {
  const directory = temporaryDirectory();
  const outbox = openOutbox(directory);
  for (let i = 0; i < 5; i++) outbox.enqueue(anOp({ uuid: `u${i}` }), null);
  outbox.saveRecords([['drafts', 'c1', aDraft('a draft')]]);
  const { outbox: ops } = outbox.load();
  outbox.close();
  const path = join(directory, 'outbox.db');
  const bytes = readFileSync(path);
  damage(bytes);
  writeFileSync(path, bytes);
  const again = openOutbox(directory);
  expect(again.status.salvaged?.records).toBe(6);
  expect(again.load().outbox).toEqual(ops);
  expect(again.load().drafts.get('c1')?.text).toBe('a draft');
  again.enqueue(anOp({ uuid: 'later' }), null);
  again.close();
});

test.each([
  ['a column of the cache', words('contact_id TEXT', 'contact_ix TEXT')],
  ['the version of its tables', (bytes: Buffer) => void bytes.writeUInt32BE(0, 60)],
])('%s: the cache is set aside and created anew on disk', (_, damage) => {
  const directory = temporaryDirectory();
  openCache(directory).close();
  const path = join(directory, 'cache.db');
  const bytes = readFileSync(path);
  damage(bytes);
  writeFileSync(path, bytes);
  const troubles: string[] = [];
  const cache = openCache(directory, { onTrouble: ({ message }) => troubles.push(message) });
  cache.saveConversations([aConversation({ id: 'c1' })]);
  expect(listOf(cache).conversations.map(({ id }) => id)).toEqual(['c1']);
  expect(troubles).toEqual([expect.stringMatching(/built anew; the old one is .*cache\.corrupt-/)]);
  cache.close();
});

test('a text whose encoding mark is damaged is kept unchanged', () => {
  expect(fromColumn('\u0001"half')).toBe('\u0001"half');
});
