import { describe, expect, test } from 'vitest';
import type { PageValidator } from '../../../src/state/cache/cached-history.ts';
import { memoryCache } from '../../../src/storage/cache/memory-cache.ts';
import { openCache } from '../../../src/storage/cache/open.ts';
import type { CacheDisk } from '../../../src/sync/services/ports.ts';
import { aConversation, aMessage, temporaryDirectory } from '../builders.ts';

const validator = (etag: string): PageValidator => ({ etag, limit: 50, ids: ['m1'], isWhole: true });
const conversation = aConversation({ id: 'c1' });
const message = aMessage({ id: 'm1' });

const kinds: Readonly<Record<string, () => CacheDisk>> = {
  'on disk': () => openCache(temporaryDirectory()),
  'in memory': () => memoryCache(),
};

describe.each(Object.entries(kinds))('validators %s', (_, open) => {
  test('are saved with the rows of their page, for the list and for each conversation', () => {
    const cache = open();
    expect(cache.validator(null)).toBeNull();
    cache.saveConversations([conversation], validator('"list"'));
    cache.saveMessages('c1', [message], validator('"c1"'));
    cache.saveMessages('c2', [], validator('"none"'));
    expect(cache.validator(null)).toMatchObject(validator('"list"'));
    expect(cache.validator('c1')).toMatchObject(validator('"c1"'));
    expect(cache.validator('c2')).toMatchObject(validator('"none"'));
    expect(cache.validator('list')).toBeNull();
  });

  test.each([
    ['a message is written', (cache: CacheDisk) => cache.saveMessages('c1', [message]), '"list"', undefined],
    ['a message is removed', (cache: CacheDisk) => cache.removeMessages('c1', ['m1']), '"list"', undefined],
    ['the conversation is removed', (cache: CacheDisk) => cache.removeConversation('c1'), undefined, undefined],
    [
      'a conversation is changed',
      (cache: CacheDisk) => cache.saveConversations([{ ...conversation, isMuted: true }]),
      undefined,
      '"c1"',
    ],
  ])('are removed when %s without them', (_name, write, ofList, ofMessages) => {
    const cache = open();
    cache.saveConversations([conversation], validator('"list"'));
    cache.saveMessages('c1', [message], validator('"c1"'));
    write(cache);
    expect([cache.validator(null)?.etag, cache.validator('c1')?.etag]).toEqual([ofList, ofMessages]);
  });
});

describe('validators in the file', () => {
  const keep = (cache: CacheDisk): void => cache.saveMessages('c1', [message], validator('"c1"'));

  test('are used at the next start by the same version of the program only', () => {
    const directory = temporaryDirectory();
    const cache = openCache(directory, { program: '1' });
    keep(cache);
    cache.close();
    expect(openCache(directory, { program: '2' }).validator('c1')).toBeNull();
    expect(openCache(directory, { program: '1' }).validator('c1')?.etag).toBe('"c1"');
  });

  test('are neither used nor saved once another process has written', () => {
    const directory = temporaryDirectory();
    const cache = openCache(directory);
    keep(cache);
    const other = openCache(directory);
    other.saveMessages('c2', [message], validator('"c2"'));
    expect([cache.validator('c1'), cache.validator('c2')]).toEqual([null, null]);
    keep(cache);
    cache.close();
    other.close();
    const next = openCache(directory);
    expect([next.validator('c1')?.etag, next.validator('c2')?.etag]).toEqual([undefined, '"c2"']);
  });
});
