/** The page of formatted messages that is kept of each conversation. */
import { expect, test } from 'vitest';
import { pageLimits } from '../../../src/storage/cache/formatted-pages.ts';
import { memoryCache } from '../../../src/storage/cache/memory-cache.ts';
import { cacheFile } from '../../../src/storage/cache/open.ts';
import { aMessage, temporaryDirectory } from '../builders.ts';

const open = () => cacheFile(temporaryDirectory(), Date.now).open();

test('is the last one that was saved, also for a cache in memory above the file', () => {
  const cache = open();
  expect(cache.formattedPage('c1')).toBe('');
  cache.saveFormattedPage('c1', 'one');
  cache.saveFormattedPage('c1', 'two\0\ud800');
  expect([cache.formattedPage('c1'), cache.formattedPage('c2')]).toEqual(['two\0\ud800', '']);
  expect([memoryCache(cache).formattedPage('c1'), memoryCache().formattedPage('c1')]).toEqual(['two\0\ud800', '']);
  cache.saveFormattedPage('c1', '');
  expect(cache.formattedPage('c1')).toBe('');
});

test('is removed with a message and with the conversation, as it may hold the text', () => {
  const cache = open();
  for (const remove of [() => cache.removeMessages('c1', ['m1']), () => cache.removeConversation('c1')]) {
    cache.saveMessages('c1', [aMessage()]);
    cache.saveFormattedPage('c1', 'page');
    cache.saveFormattedPage('c2', 'other');
    remove();
    expect([cache.formattedPage('c1'), cache.formattedPage('c2')]).toEqual(['', 'other']);
  }
});

test('in the file is no longer read by a cache in memory that has removed one of its messages, or the conversation', () => {
  const file = open();
  for (const id of ['c1', 'c2', 'c3']) file.saveFormattedPage(id, 'page');
  const cache = memoryCache(file);
  cache.removeMessages('c1', ['m1']);
  cache.removeConversation('c2');
  expect(['c1', 'c2', 'c3'].map((id) => cache.formattedPage(id))).toEqual(['', '', 'page']);
});

test('is kept for a few conversations, those that were saved last, and never when it is long', () => {
  const cache = open();
  for (let i = 0; i <= pageLimits.conversations; i++) {
    cache.saveFormattedPage(`c${i}`, 'page');
    cache.saveFormattedPage('c0', `page ${i}`);
  }
  expect(cache.formattedPage('c1')).toBe('');
  expect(cache.formattedPage('c0')).toBe(`page ${pageLimits.conversations}`);
  expect(cache.formattedPage('c2')).toBe('page');
  cache.saveFormattedPage('c2', 'x'.repeat(pageLimits.units + 1));
  expect(cache.formattedPage('c2')).toBe('');
});
