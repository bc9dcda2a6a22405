import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { memoryCache } from '../../../src/storage/cache/memory-cache.ts';
import { cacheFile, openCache } from '../../../src/storage/cache/open.ts';
import { cacheMigrations } from '../../../src/storage/cache/schema.ts';
import { versionLimits } from '../../../src/storage/cache/versions.ts';
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';
import { sqlOf } from '../../../src/storage/sqlite/migrate.ts';
import type { CacheDisk } from '../../../src/sync/services/ports.ts';
import { aMessage, temporaryDirectory } from '../builders.ts';

const kinds: Readonly<Record<string, () => CacheDisk>> = {
  'on disk': () => openCache(temporaryDirectory()),
  'in memory': () => memoryCache(),
  'in memory over a disk': () => memoryCache(cacheFile(temporaryDirectory(), Date.now).open()),
};

describe.each(Object.entries(kinds))('versions %s', (_, open) => {
  const texts = (cache: CacheDisk, id = 'm1') => cache.versions('c1', id).map(({ text }) => text);
  const say = (cache: CacheDisk, text: string, fields = {}) =>
    cache.saveMessages('c1', [aMessage({ text, ...fields })]);

  test('keep each text that another one replaced, newest first', () => {
    const cache = open();
    for (const text of ['one', 'two\0', 'two\0', 'three']) say(cache, text);
    say(cache, 'three', { readAt: 9 });
    expect(texts(cache)).toEqual(['two\0', 'one']);
    expect(cache.editedMessages('c1')).toEqual(['m1']);
    expect(cache.editedMessages('c2')).toEqual([]);
  });

  test('keep a text once that comes and goes', () => {
    const cache = open();
    for (let i = 0; i < 9; i++) say(cache, i % 2 === 0 ? 'old' : 'new');
    expect(texts(cache)).toEqual(['new', 'old']);
  });

  test('are limited to twenty of one message', () => {
    const cache = open();
    for (let i = 0; i <= 30; i++) say(cache, `text ${i}`);
    expect(texts(cache)).toEqual(Array.from({ length: versionLimits.ofMessage }, (_, i) => `text ${29 - i}`));
  });

  test('leave out a text beyond the limit, and that of another message with the same id', () => {
    const cache = open();
    say(cache, 'é'.repeat(40_000));
    say(cache, 'short');
    say(cache, 'of another message', { createdAt: 77 });
    expect(texts(cache)).toEqual([]);
  });

  test('are forgotten when the id is given to a message of another time and text', () => {
    const cache = open();
    for (const text of ['one', 'two']) say(cache, text);
    say(cache, 'two', { createdAt: (aMessage().createdAt ?? 0) + 60_000 });
    expect(texts(cache)).toEqual(['one']);
    say(cache, 'of another message', { createdAt: 77 });
    expect([texts(cache), cache.editedMessages('c1')]).toEqual([[], []]);
  });

  test('follow a message to another id', () => {
    const cache = open();
    for (const text of ['one', 'two']) say(cache, text, { id: 'tmp' });
    say(cache, 'two');
    cache.moveVersions('c1', 'tmp', 'm1');
    cache.removeMessages('c1', ['tmp']);
    expect([texts(cache), cache.editedMessages('c1')]).toEqual([['one'], ['m1']]);
  });

  test('are removed with their message and with its conversation', () => {
    const cache = open();
    for (const id of ['m1', 'm2']) for (const text of ['one', 'two']) say(cache, text, { id });
    cache.removeMessages('c1', ['m1']);
    expect([texts(cache), texts(cache, 'm2')]).toEqual([[], ['one']]);
    cache.removeConversation('c1');
    say(cache, 'again', { id: 'm2' });
    expect(texts(cache, 'm2')).toEqual([]);
    expect(cache.editedMessages('c1')).toEqual([]);
  });
});

describe('versions in cache.db', () => {
  test('are limited to ten thousand', () => {
    const directory = temporaryDirectory();
    const cache = openCache(directory, { now: () => 42 });
    const messages = (text: string) =>
      Array.from({ length: versionLimits.all + 5 }, (_, i) => aMessage({ id: `m${i}`, text: `${text} ${i}` }));
    cache.saveMessages('c1', messages('before').slice(0, 6));
    cache.saveMessages('c1', messages('after').slice(0, 6));
    cache.close();
    const database = openDatabase(join(directory, 'cache.db'));
    database.exec(`INSERT INTO versions SELECT value + 100, 'c2', 'm' || value, 1, 'x' FROM (
      WITH RECURSIVE n(value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM n WHERE value < ${versionLimits.all - 2})
      SELECT value FROM n)`);
    database.close();
    const again = openCache(directory, { now: () => 43 });
    again.saveMessages('c1', [aMessage({ id: 'm0', text: 'the third' })]);
    expect(again.versions('c1', 'm0')).toEqual([{ text: 'after 0', until: 43 }]);
    expect(again.editedMessages('c1')).toEqual(['m0']);
    expect(again.editedMessages('c2')).toHaveLength(versionLimits.all - 1);
    again.close();
  });

  test('are added to a file without them, whose messages stay', () => {
    const directory = temporaryDirectory();
    const database = openDatabase(join(directory, 'cache.db'));
    for (const step of cacheMigrations.slice(0, 3)) database.exec(sqlOf(step));
    database.exec(`INSERT INTO messages VALUES
      (1, 'c1', 'm1', ${aMessage().createdAt}, 0, 'ann', 'as it was', '{"reactions":[],"attachments":[]}');
      PRAGMA user_version = 3`);
    database.close();
    const troubles: string[] = [];
    const cache = openCache(directory, { onTrouble: ({ message }) => troubles.push(message) });
    cache.saveMessages('c1', [aMessage({ text: 'as it is' })]);
    expect(cache.versions('c1', 'm1').map(({ text }) => text)).toEqual(['as it was']);
    expect(troubles).toEqual([]);
    cache.close();
  });
});
