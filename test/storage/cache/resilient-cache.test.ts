import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/protocol/types.ts';
import type { HistoryKey } from '../../../src/state/cache/cached-history.ts';
import type { CachedPart } from '../../../src/state/cache/cached-list.ts';
import { compareMessages } from '../../../src/state/cache/thread-order.ts';
import type { ReadLine } from '../../../src/state/model/app-state.ts';
import type { DiskCache } from '../../../src/storage/cache/disk-cache.ts';
import { memoryCache } from '../../../src/storage/cache/memory-cache.ts';
import { cacheFile, openCache } from '../../../src/storage/cache/open.ts';
import { resilientCache } from '../../../src/storage/cache/resilient-cache.ts';
import { cacheMigrations } from '../../../src/storage/cache/schema.ts';
import { countedMost } from '../../../src/storage/cache/unread.ts';
import { inspectCache } from '../../../src/storage/inspect.ts';
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';
import type { StorageError } from '../../../src/storage/sqlite/errors.ts';
import { sqlOf } from '../../../src/storage/sqlite/migrate.ts';
import { sizeOf } from '../../../src/storage/sqlite/open-read-only.ts';
import type { CacheDisk, ListDisk } from '../../../src/sync/services/ports.ts';
import { campaignSize } from '../../support/campaigns/partition.ts';
import { aContact, aConversation, aMessage, listOf, temporaryDirectory } from '../builders.ts';

type AnyCache = CacheDisk & ListDisk;

const kinds: Readonly<Record<string, () => AnyCache>> = {
  'on disk': () => openCache(temporaryDirectory()),
  'in memory': () => memoryCache(),
  'in memory over a disk': () => memoryCache(cacheFile(temporaryDirectory(), Date.now).open()),
};

const at = (createdAt: number | null, fields: Partial<Message> = {}): Message =>
  aMessage({ id: `m${createdAt}`, createdAt, ...fields });
const ids = (messages: readonly { readonly id: string }[]) => messages.map(({ id }) => id);

describe.each(Object.entries(kinds))('cache %s', (kind, open) => {
  test('history of long texts is returned whole and in order, in pages that end early', () => {
    const cache = open();
    const all = Array.from({ length: 12 }, (_, i) =>
      at(i + 1, { text: i % 3 === 0 ? 'é'.repeat(200_000) + i : `${i}` }),
    );
    cache.saveMessages('c1', all);
    const seen: Message[] = [];
    const sizes: number[] = [];
    for (let from: Parameters<CacheDisk['history']>[1] = 'newest'; ; ) {
      const page = cache.history('c1', from, 5);
      sizes.push(page.messages.filter(({ text }) => text.length > 200_000).length);
      seen.unshift(...page.messages);
      const [oldest] = page.messages;
      if (!page.hasMore || oldest === undefined) break;
      from = { before: oldest };
    }
    expect(seen.map(({ id, text }) => [id, text.length])).toEqual(all.map(({ id, text }) => [id, text.length]));
    if (kind === 'on disk') expect(Math.max(...sizes)).toBe(1);
    const upwards = cache.history('c1', { after: { createdAt: 1, rank: 0, id: 'm1' } }, 5).messages;
    expect(ids(upwards)).toEqual(ids(all.slice(1, 1 + upwards.length)));
  });

  test('a long text that is in memory is not read again, except for a row that has changed', () => {
    const cache = open();
    const long = at(2, { conversationId: 'c1', text: 'é'.repeat(200_000), rank: 0 });
    cache.saveMessages('c1', [at(1), long]);
    const { messages } = cache.history('c1', 'newest', 5, long);
    expect(ids(messages)).toEqual(['m1', 'm2']);
    expect(messages[1]).toBe(long);
    const edited = { ...long, text: 'ö'.repeat(200_000), updatedAt: 9 };
    cache.saveMessages('c1', [edited]);
    expect(cache.history('c1', 'newest', 5, long).messages.at(-1)).toEqual(edited);
  });

  test('an outline does not read long texts', () => {
    const cache = open();
    const odd = `\0${'x'.repeat(10_000)}`;
    cache.saveMessages('c1', [at(1, { text: 'short' }), at(2, { text: odd }), at(3, { text: 'é'.repeat(3_000) })]);
    const { messages, withoutText, hasMore } = cache.outline('c1', 2);
    expect(ids(messages)).toEqual(['m2', 'm3']);
    expect(hasMore).toBe(true);
    if (kind === 'on disk') {
      expect([...withoutText]).toEqual(['m2', 'm3'].toReversed());
      expect(messages.map(({ text }) => text)).toEqual(['', '']);
    }
    expect(cache.message('c1', 'm2')?.text).toBe(odd);
    expect(cache.message('c1', 'other')).toBeNull();
    expect(cache.outline('other', 2)).toEqual({ messages: [], withoutText: new Set(), hasMore: false });
  });

  test('every field is saved and read back', () => {
    const cache = open();
    const message = aMessage({
      contact: aContact({ id: 'a\0b', username: '\ud800', avatarUrl: 'u', lastActiveAt: 1.5, createdAt: 2 }),
      text: 'NUL \0, a lone \udfff, \u0001 and 👍',
      isTruncated: true,
      reactions: [{ name: '+1', by: ['ann', 'bob'], unnamed: 3 }],
      attachments: [
        {
          label: 'x',
          url: null,
          size: 3,
          mediaType: 'text/plain',
          fields: { a: [1, null, { b: true }], ['__proto__']: 'p' },
        },
      ],
      readAt: 3,
      updatedAt: 4,
      rank: -2,
    });
    const odd = aMessage({ id: 'no\0time', conversationId: null, contact: null, createdAt: null, text: '' });
    const conversation = aConversation({ timeFormat: { kind: 'digits', unit: 'us' }, isPinned: true, createdAt: 0.25 });
    cache.saveMessages('c1', [message, odd]);
    cache.saveConversations([conversation]);
    cache.saveMessages('c1', [], null, [aContact()]);
    cache.saveReach('c1', 'server', ['m1', 'x\0']);
    expect(cache.history('c1', 'newest', 10)).toEqual({ messages: [odd, message], hasMore: false });
    expect(Object.keys(cache.history('c1', 'newest', 1).messages[0]?.attachments[0]?.fields ?? {})).toContain(
      '__proto__',
    );
    expect(listOf(cache).conversations).toEqual([conversation]);
    expect(cache.contactsAfter(null, 1_000)).toEqual([aContact()]);
    expect(listOf(cache).lastMessages).toEqual(new Map([['c1', message]]));
    expect(cache.reach('c1')).toEqual({ older: 'server', gaps: ['m1', 'x\0'] });
    expect(cache.reach('other')).toEqual({ older: 'unknown', gaps: [] });
    cache.close();
  });

  test('saving again replaces a message by id, also when its time changes', () => {
    const cache = open();
    cache.saveMessages('c1', [at(1), at(2), at(3)]);
    const moved = at(9, { id: 'm1', text: 'moved' });
    cache.saveMessages('c1', [moved]);
    cache.saveConversations([aConversation()]);
    cache.saveConversations([aConversation({ isMuted: true })]);
    cache.saveMessages('c1', [], null, [aContact()]);
    cache.saveMessages('c1', [], null, [aContact({ username: 'Ann Wells' })]);
    expect(cache.history('c1', 'newest', 10).messages).toEqual([at(2), at(3), moved]);
    expect(listOf(cache).lastMessages.get('c1')).toEqual(moved);
    expect(listOf(cache).conversations).toEqual([aConversation({ isMuted: true })]);
    expect(cache.contactsAfter(null, 1_000)).toEqual([aContact({ username: 'Ann Wells' })]);
    cache.close();
  });

  test('the newest message is updated by a removal, and removed with the last one', () => {
    const cache = open();
    cache.saveConversations([aConversation()]);
    cache.saveMessages('c1', [at(1), at(2)]);
    cache.removeMessages('c1', ['m2', 'unknown']);
    expect(listOf(cache).lastMessages.get('c1')).toEqual(at(1));
    cache.removeMessages('c1', ['m1']);
    expect(listOf(cache).lastMessages.size).toBe(0);
    cache.close();
  });

  test('a gap before a removed message is then before the next message', () => {
    const cache = open();
    cache.saveMessages('c1', [at(1), at(2), at(3), at(4), at(5)]);
    cache.saveReach('c1', 'server', ['m2', 'm5']);
    cache.removeMessages('c1', ['m2', 'm3']);
    expect(cache.reach('c1')).toEqual({ older: 'server', gaps: ['m4', 'm5'] });
    cache.removeMessages('c1', ['m4']);
    expect(cache.reach('c1').gaps).toEqual(['m5']);
    cache.removeMessages('c1', ['m5']);
    expect(cache.reach('c1').gaps).toEqual([]);
    cache.close();
  });

  test('a conversation is removed with its messages and with the note how far they reach', () => {
    const cache = open();
    cache.saveConversations([aConversation(), aConversation({ id: 'c2' })]);
    cache.saveMessages('c1', [at(1)]);
    cache.saveMessages('c2', [at(1, { conversationId: 'c2' })]);
    cache.saveReach('c1', 'end', []);
    cache.removeConversation('c1');
    expect(listOf(cache).conversations).toEqual([aConversation({ id: 'c2' })]);
    expect(cache.history('c1', 'newest', 5).messages).toEqual([]);
    expect([...listOf(cache).lastMessages.keys()]).toEqual(['c2']);
    expect(cache.reach('c1').older).toBe('unknown');
    expect([...listOf(cache, new Map(), null).unread.keys()]).toEqual(['c2']);
    cache.close();
  });

  test('the time when the list was last read to its end is known once it has been recorded', () => {
    const cache = open();
    expect(cache.listReading()).toBeNull();
    cache.saveListReading({ at: 1, pages: 30, leavesOutArchived: false });
    cache.saveListReading({ at: 2, pages: 31, leavesOutArchived: true });
    expect(cache.listReading()).toEqual({ at: 2, pages: 31, leavesOutArchived: true });
    cache.close();
  });

  test('pages in both directions are slices of the whole order', () => {
    const message = fc.record({
      id: fc.string({ minLength: 1, maxLength: 2 }),
      createdAt: fc.option(fc.integer({ min: 0, max: 3 }), { nil: null }),
      rank: fc.integer({ min: -1, max: 1 }),
    });
    const cache = open();
    let run = 0;
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 15 }),
        fc.nat(14),
        fc.integer({ min: 1, max: 5 }),
        (list, pick, limit) => {
          const conversationId = `c${run++}`;
          const messages = list.map((fields) => aMessage({ ...fields, conversationId }));
          for (const one of messages) cache.saveMessages(conversationId, [one]);
          const whole = [...new Map(messages.map((one) => [one.id, one])).values()].sort(compareMessages);
          const newest = cache.history(conversationId, 'newest', limit);
          expect(newest.messages).toEqual(whole.slice(-limit));
          expect(newest.hasMore).toBe(whole.length > limit);
          const index = pick % Math.max(1, whole.length);
          const key = whole[index];
          if (key === undefined) return;
          const before = cache.history(conversationId, { before: key }, limit);
          expect(before).toEqual({
            messages: whole.slice(Math.max(0, index - limit), index),
            hasMore: index > limit,
          });
          const after = cache.history(conversationId, { after: key }, limit);
          expect(after).toEqual({
            messages: whole.slice(index + 1, index + 1 + limit),
            hasMore: whole.length > index + 1 + limit,
          });
        },
      ),
      { numRuns: campaignSize(20, 60) },
    );
    cache.close();
  });

  test('a search gets the texts, newest first, can stop, and can continue after any of them', () => {
    const message = fc.record({
      id: fc.string({ minLength: 1, maxLength: 2 }),
      createdAt: fc.option(fc.integer({ min: 0, max: 3 }), { nil: null }),
      text: fc.constantFrom('', 'a', 'NUL \0', '\u0001', 'lone \udfff', '👍'),
    });
    const cache = open();
    let run = 0;
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), (list, stride) => {
        const conversationId = `c${run++}`;
        const messages = list.map((fields) => aMessage({ ...fields, conversationId }));
        for (const one of messages) cache.saveMessages(conversationId, [one]);
        const whole = [...new Map(messages.map((one) => [one.id, one])).values()].sort(compareMessages).toReversed();
        const seen: unknown[] = [];
        let before: HistoryKey | null = null;
        for (let parts = 0, isOldest = false; !isOldest && parts < 20; parts++) {
          let left = stride;
          isOldest = cache.scanTexts(conversationId, before, (key, text) => {
            seen.push([key.createdAt, key.rank, key.id, text]);
            before = key;
            left--;
            return left > 0;
          });
        }
        expect(seen).toEqual(whole.map(({ createdAt, rank, id, text }) => [createdAt, rank, id, text]));
      }),
      { numRuns: campaignSize(20, 60) },
    );
    expect(cache.scanTexts('unknown', null, () => false)).toBe(true);
    cache.close();
  });

  test('a search gets at least the beginning of a long text, which is stored whole', () => {
    const cache = open();
    const odd = `odd \ud800 ${'x'.repeat(200_000)}`;
    const long = aMessage({ id: 'long', text: `start ${'ä'.repeat(200_000)}` });
    cache.saveMessages('c1', [long, aMessage({ id: 'odd', text: odd })]);
    const beginnings: string[] = [];
    cache.scanTexts('c1', null, (_, text) => {
      beginnings.push(text.slice(0, 65_000));
      return true;
    });
    expect(cache.message('c1', 'long')?.text).toBe(long.text);
    expect(cache.message('c1', 'odd')?.text).toBe(odd);
    expect(beginnings).toContain(long.text.slice(0, 65_000));
    expect(beginnings.some((text) => text.includes('odd '))).toBe(true);
    cache.close();
  });

  const mine = aContact({ id: 'me' });
  const unread: readonly (readonly [string, ReadLine | null, number])[] = [
    ['without a line everything incoming counts', null, 4],
    ['after the message of the line', { messageId: 'm2', at: 2 }, 2],
    ['by its place, not by its time, which ties', { messageId: 'b', at: 5 }, 1],
    ['after the time when the message is not there', { messageId: 'gone', at: 2 }, 2],
    ['after the time when the line has no message', { messageId: null, at: 5 }, 0],
    ['nothing when the line is at the newest', { messageId: 'c', at: 5 }, 0],
  ];
  test.each(unread)('unread: %s', (_, line, expected) => {
    const cache = open();
    cache.saveConversations([aConversation()]);
    cache.saveMessages('c1', [
      at(1),
      at(2),
      at(3, { contact: mine }),
      at(5, { id: 'a', rank: 0, contact: mine }),
      at(5, { id: 'b', rank: 1 }),
      at(5, { id: 'c', rank: 2 }),
    ]);
    const lines = new Map(line === null ? [] : [['c1', line]]);
    const counts = expected === 0 ? new Map() : new Map([['c1', expected]]);
    expect(listOf(cache, lines, { contactId: 'me', username: null }).unread).toEqual(counts);
    // In a contact conversation whoever is not the contact is me.
    expect(listOf(cache, lines, null).unread).toEqual(counts);
    cache.close();
  });

  test('the list is read in parts and in its order: pinned, by activity, archived; with everything that it shows', () => {
    const cache = open();
    const one = (id: string, fields: Parameters<typeof aConversation>[0] = {}) =>
      aConversation({ id, contactId: `k-${id}`, createdAt: 1, lastActiveAt: null, ...fields });
    cache.saveConversations([
      one('old', { lastActiveAt: 10 }),
      one('archived', { lastActiveAt: 99, archivedAt: 100 }),
      one('silent'),
      one('new', { lastActiveAt: 90 }),
      one('pinned', { lastActiveAt: 5, isPinned: true }),
      one('b', { lastActiveAt: 50 }),
      one('a', { lastActiveAt: 50 }),
    ]);
    // The server names no activity for it: the time of its newest message is used.
    cache.saveMessages('silent', [at(20), at(60)]);
    cache.saveMessages('b', [at(50, { id: 'b1' })]);
    cache.saveMessages('b', [], null, [aContact({ id: 'k-b', username: 'Bob' }), aContact({ id: 'k-none' })]);
    cache.saveConversations([one('old', { lastActiveAt: 95 })]);
    const lines = new Map([['silent', { messageId: null, at: 30 }]]);
    const me = { contactId: 'me', username: null };
    const order = ['pinned', 'old', 'new', 'silent', 'a', 'b', 'archived'];
    const top = cache.listTop(5, lines, me);
    const found = top.conversations.map(({ id }) => id);
    if (!kind.startsWith('in memory')) expect(found).toEqual(order.slice(0, 5));
    expect(new Set(found).size).toBe(found.length);
    const parts: CachedPart[] = [];
    do parts.push(cache.listAfter(parts.at(-1)?.conversations.at(-1)?.id ?? null, 2, lines, me));
    while (parts.at(-1)?.hasMore === true);
    const all = parts.flatMap(({ conversations }) => conversations.map(({ id }) => id));
    expect(all.toSorted()).toEqual(order.toSorted());
    expect(parts.flatMap(({ contacts }) => contacts.map(({ id }) => id))).toEqual(['k-b']);
    const last = parts.flatMap(({ lastMessages }) => lastMessages.map(([id, message]) => [id, message.id]));
    expect(new Map(last as [string, string][])).toEqual(
      new Map([
        ['silent', 'm60'],
        ['b', 'b1'],
      ]),
    );
    expect(new Map(parts.flatMap(({ unread }) => unread))).toEqual(
      new Map([
        ['silent', 1],
        ['b', 1],
      ]),
    );
    const some = cache.listOf(['b', 'nobody'], lines, null);
    expect(some).toMatchObject({ conversations: [{ id: 'b' }], contacts: [{ username: 'Bob' }] });
    expect(cache.contactsAfter('k-b', 10).map(({ id }) => id)).toEqual(['k-none']);
    cache.close();
  });

  test('unread: while the user is not known, nobody counts as the user if the contact has not written', () => {
    const cache = open();
    const [bob, stranger] = [aContact({ id: 'bob' }), at(3, { contact: null })];
    cache.saveConversations([aConversation()]);
    cache.saveMessages('c1', [at(1, { contact: bob }), at(2, { contact: mine }), stranger]);
    expect(listOf(cache).unread.get('c1')).toBe(3);
    expect(listOf(cache, new Map([['c1', { messageId: 'm1', at: 1 }]])).unread.get('c1')).toBe(2);
    cache.saveMessages('c1', [at(0)]);
    expect(listOf(cache, new Map([['c1', { messageId: 'm1', at: 1 }]])).unread.get('c1')).toBe(1);
    cache.close();
  });

  test('unread: in a group before the first send every sender counts', () => {
    const cache = open();
    cache.saveConversations([aConversation({ contactId: null, groupId: 'g' })]);
    cache.saveMessages('c1', [at(1), at(2, { contact: mine }), at(3, { contact: null })]);
    expect(listOf(cache, new Map(), null).unread.get('c1')).toBe(3);
    expect(listOf(cache, new Map(), { contactId: 'me', username: null }).unread.get('c1')).toBe(2);
    cache.close();
  });
});

describe('cache.db', () => {
  test('of the first version gets the position of each conversation', () => {
    const directory = temporaryDirectory();
    openCache(directory).close();
    const path = join(directory, 'cache.db');
    rmSync(path);
    const database = openDatabase(path);
    database.exec(sqlOf(cacheMigrations[0] ?? ''));
    const insert = database.prepare('INSERT INTO conversations VALUES (?, ?, ?)');
    for (const one of [
      aConversation({ id: 'old', lastActiveAt: 10 }),
      aConversation({ id: 'pinned', isPinned: true, lastActiveAt: 1 }),
      aConversation({ id: 'archived', archivedAt: 5, lastActiveAt: 99 }),
      aConversation({ id: 'silent' }),
      aConversation({ id: 'created', createdAt: 20 }),
    ])
      insert.run(one.id, one.contactId, JSON.stringify(one));
    insert.run('broken', null, '{');
    database
      .prepare('INSERT INTO messages VALUES (1, ?, ?, 40, 0, NULL, ?, ?)')
      .run('silent', 'm1', 'words', '{"reactions":[],"attachments":[]}');
    database.prepare('INSERT INTO heads VALUES (?, 1, ?, 40)').run('silent', 'm1');
    database.exec('PRAGMA user_version = 1');
    database.close();
    const troubles: string[] = [];
    const cache = openCache(directory, { onTrouble: ({ message }) => troubles.push(message) });
    const part = cache.listTop(10, new Map(), null);
    expect(part.conversations.map(({ id }) => id)).toEqual(['pinned', 'silent', 'created', 'old', 'archived']);
    expect(troubles).toEqual([]);
    cache.close();
    expect(inspectCache(directory, false).condition).toBe('whole');
  });

  test('is there after a restart', () => {
    const directory = temporaryDirectory();
    const cache = openCache(directory);
    cache.saveMessages('c1', [at(1), at(2)]);
    cache.close();
    const again = openCache(directory);
    expect(ids(again.history('c1', 'newest', 10).messages)).toEqual(['m1', 'm2']);
    again.close();
  });

  test('knows after a restart that the list was read to its end, except for parts that cannot be read', () => {
    const directory = temporaryDirectory();
    const cache = openCache(directory);
    const walk = { at: 1, pages: 30, leavesOutArchived: false };
    cache.saveListReading(walk);
    cache.close();
    const again = openCache(directory);
    expect(again.listReading()).toEqual(walk);
    again.close();
    for (const body of ['{', '1', '{"at":"1","pages":2,"leavesOutArchived":true}', '{"at":1,"pages":2}']) {
      const database = openDatabase(join(directory, 'cache.db'));
      database.prepare('UPDATE list_walk SET body = ?').run(body);
      database.close();
      const broken = openCache(directory);
      expect(broken.listReading()).toBeNull();
      broken.close();
    }
  });

  test('with damaged rows is read to its end in parts, without those', () => {
    const directory = temporaryDirectory();
    const cache = openCache(directory);
    const list = ['a', 'b', 'c', 'd', 'e'];
    cache.saveConversations(list.map((id) => aConversation({ id })));
    cache.saveMessages('e', [at(1, { conversationId: 'e' })]);
    const database = openDatabase(join(directory, 'cache.db'));
    database.exec("UPDATE conversations SET body = '{' WHERE id IN ('b', 'c')");
    database.close();
    const parts: CachedPart[] = [];
    do parts.push(cache.listAfter(parts.at(-1)?.conversations.at(-1)?.id ?? null, 1, new Map(), null));
    while (parts.at(-1)?.hasMore === true && parts.length < 10);
    expect(parts.flatMap(({ conversations }) => ids(conversations))).toEqual(['a', 'd', 'e']);
    expect(parts.flatMap(({ lastMessages }) => lastMessages.map(([id]) => id))).toEqual(['e']);
    cache.close();
  });

  test('that is damaged at the start is set aside and created anew, which is reported once', () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'cache.db'), 'this is no database'.repeat(500));
    const troubles: string[] = [];
    const cache = openCache(directory, { onTrouble: (error) => troubles.push(error.message), now: () => 7 });
    cache.saveMessages('c1', [at(1)]);
    cache.close();
    expect(troubles).toHaveLength(1);
    expect(troubles[0]).toMatch(/built anew.*cache\.corrupt-7\.db/);
    expect(readFileSync(join(directory, 'cache.corrupt-7.db'), 'utf8')).toMatch(/^this is no database/);
    const again = openCache(directory);
    expect(ids(again.history('c1', 'newest', 10).messages)).toEqual(['m1']);
    again.close();
  });

  test('that is damaged later answers the read that finds the damage, and only one old copy is kept', () => {
    const directory = temporaryDirectory();
    const first = openCache(directory);
    first.saveMessages(
      'c1',
      Array.from({ length: 300 }, (_, i) => at(i, { text: 'x'.repeat(200) })),
    );
    first.close();
    writeFileSync(join(directory, 'cache.corrupt-1.db'), 'older');
    const bytes = readFileSync(join(directory, 'cache.db'));
    bytes.fill(0x5a, 4096);
    writeFileSync(join(directory, 'cache.db'), bytes);
    const troubles: string[] = [];
    const cache = openCache(directory, { onTrouble: (error) => troubles.push(error.kind), now: () => 2 });
    expect(cache.history('c1', 'newest', 10).messages).toEqual([]);
    cache.saveMessages('c1', [at(1)]);
    expect(ids(cache.history('c1', 'newest', 10).messages)).toEqual(['m1']);
    expect(troubles).toEqual(['corrupt']);
    cache.close();
    expect(readdirSync(directory).filter((name) => /^cache\.corrupt-.*\.db$/.test(name))).toEqual([
      'cache.corrupt-2.db',
    ]);
  });

  test('on a disk that accepts no more writes is read, with new rows in memory, which is reported once', () => {
    const directory = temporaryDirectory();
    const { disk, file } = failingDisk(directory);
    const troubles: StorageError[] = [];
    const cache = resilientCache(file, (error) => troubles.push(error));
    cache.saveConversations([aConversation(), aConversation({ id: 'c2' })]);
    cache.saveMessages('c1', [at(1), at(2)]);
    cache.saveMessages('c2', [at(1, { conversationId: 'c2' })]);
    disk.isFull = true;
    cache.saveMessages('c1', [at(3)]);
    cache.removeMessages('c1', ['m1']);
    cache.saveReach('c1', 'end', []);
    expect(ids(cache.history('c1', 'newest', 10).messages)).toEqual(['m2', 'm3']);
    expect(ids(cache.history('c2', 'newest', 10).messages)).toEqual(['m1']);
    expect([...listOf(cache).lastMessages].map(([id, message]) => [id, message.id])).toEqual([
      ['c1', 'm3'],
      ['c2', 'm1'],
    ]);
    expect(listOf(cache, new Map(), null).unread).toEqual(
      new Map([
        ['c1', 2],
        ['c2', 1],
      ]),
    );
    expect(listOf(cache).conversations).toHaveLength(2);
    expect(cache.reach('c1').older).toBe('end');
    cache.saveConversations([aConversation({ isPinned: true }), aConversation({ id: 'c3' })]);
    cache.removeConversation('c2');
    expect(listOf(cache).conversations.map(({ id, isPinned }) => [id, isPinned])).toEqual([
      ['c1', true],
      ['c3', false],
    ]);
    expect([...listOf(cache).lastMessages.keys()]).toEqual(['c1']);
    expect(cache.listOf(['c2', 'c3'], new Map(), null)).toMatchObject({ conversations: [{ id: 'c3' }], unread: [] });
    expect(troubles.map(({ kind }) => kind)).toEqual(['full']);
    expect(troubles[0]?.message).toMatch(/ In this run, new messages are kept in memory only\.$/);
    cache.close();
  });

  test('on a disk that accepts no more writes is closed with the cache, which folds its log into the file', () => {
    const directory = temporaryDirectory();
    const { disk, file } = failingDisk(directory);
    const cache = resilientCache(file, () => {});
    cache.saveMessages('c1', [at(1)]);
    disk.isFull = true;
    cache.saveMessages('c1', [at(2)]);
    expect(sizeOf(join(directory, 'cache.db-wal'))).toBeGreaterThan(0);
    cache.close();
    expect(sizeOf(join(directory, 'cache.db-wal'))).toBe(0);
  });

  test('without a directory works in memory', () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'file'), '');
    const troubles: StorageError[] = [];
    const cache = openCache(join(directory, 'file', 'below'), { onTrouble: (error) => troubles.push(error) });
    cache.saveMessages('c1', [at(1)]);
    expect(ids(cache.history('c1', 'newest', 10).messages)).toEqual(['m1']);
    expect(troubles).toHaveLength(1);
    cache.close();
  });
});

/** A real cache whose writes fail like SQLite on a full disk once `isFull` is set. */
function failingDisk(directory: string) {
  const disk = { isFull: false };
  const real = cacheFile(directory, Date.now);
  const open = (): DiskCache =>
    new Proxy(real.open(), {
      get(target, name) {
        const method = Reflect.get(target, name) as (...parameters: unknown[]) => unknown;
        return (...parameters: unknown[]) => {
          if (disk.isFull && /^(save|remove)/.test(String(name))) {
            throw Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });
          }
          return method.apply(target, parameters);
        };
      },
    });
  return { disk, file: { ...real, open } };
}

test('on disk, unread messages are counted only up to the number that is shown', () => {
  const cache = openCache(temporaryDirectory());
  cache.saveConversations([aConversation({ id: 'c1' })]);
  cache.saveMessages(
    'c1',
    Array.from({ length: countedMost + 200 }, (_, i) => aMessage({ id: `m${i}`, createdAt: i, conversationId: 'c1' })),
  );
  expect(listOf(cache, new Map(), null).unread.get('c1')).toBe(countedMost);
  cache.close();
});

test('a long message that was read, or reacted to, is saved without writing its text again', () => {
  const directory = temporaryDirectory();
  const cache = openCache(directory);
  const long = at(2, { conversationId: 'c1', text: '🙂é'.repeat(100_000), rank: 0 });
  const logged = (): number => statSync(join(directory, 'cache.db-wal')).size;
  cache.saveMessages('c1', [at(1), long]);
  const before = logged();
  expect(before).toBeGreaterThan(600_000);
  const changed = { ...long, readAt: 1_700_000_000_000, reactions: [{ name: 'heart', by: ['ann', 'bob'] }] };
  cache.saveMessages('c1', [changed]);
  expect(logged() - before).toBeLessThan(100_000);
  expect(cache.message('c1', 'm2')).toEqual(changed);
  cache.close();
});
