import { describe, expect, test } from 'vitest';
import type { Findings } from '../../../src/state/model/details.ts';
import { memoryCache } from '../../../src/storage/cache/memory-cache.ts';
import { openCache } from '../../../src/storage/cache/open.ts';
import { searchPerson } from '../../../src/sync/search/person-search.ts';
import type { CacheDisk } from '../../../src/sync/services/ports.ts';
import { temporaryDirectory } from '../../storage/builders.ts';
import * as eg from '../../support/builders/eg.ts';
import { processorTime } from '../../support/system/processor-time.ts';

const ann = eg.contact({ id: 'ann' });
const me = eg.contact({ id: 'me' });
const conversations = [
  eg.conversation({ id: 'with ann', contactId: 'ann' }),
  eg.conversation({ id: 'crew', groupId: 'g1' }),
  eg.conversation({ id: 'others', groupId: 'g2' }),
];
const state = eg.state({ conversations, contacts: [ann, me], local: { me: { contactId: 'me', username: 'me' } } });

const say = (conversationId: string, n: number, fields: Parameters<typeof eg.message>[0] = {}) =>
  eg.message({ id: `${conversationId} ${n}`, conversationId, createdAt: eg.now + n, contact: ann, ...fields });

/** `longest` is the processor time of the longest step, in milliseconds. */
async function search(cache: CacheDisk, of: Findings['of']): Promise<Findings & { readonly longest: number }> {
  let result: Findings | null = null;
  let longest = 0;
  let spent = processorTime();
  const clock = {
    monotonic: () => performance.now(),
    after: () => () => {},
    pause: async () => {
      longest = Math.max(longest, spent());
      await new Promise((resolve) => setImmediate(resolve));
      spent = processorTime();
    },
  };
  const services = { store: { getState: () => state }, cache, clock, isClosed: () => false };
  for await (const found of searchPerson(services, of)) result = found;
  if (result === null) throw new Error('nothing was yielded');
  return { ...result, longest };
}

describe('what was exchanged with somebody', () => {
  test('is the last messages, links, files, and the groups in which they wrote', async () => {
    const cache = memoryCache();
    const file = { label: 'plan.txt', url: null, size: null, mediaType: null, fields: {} };
    cache.saveMessages('with ann', [
      say('with ann', 1, { text: 'see https://ferry.example/a' }),
      say('with ann', 2, { text: 'thanks', contact: me, attachments: [file] }),
      say('with ann', 3, { text: 'https://ferry.example/b and https://ferry.example/a' }),
    ]);
    cache.saveMessages('crew', [say('crew', 1, { text: 'ahoy' }), say('crew', 2, { contact: me })]);
    cache.saveMessages('others', [say('others', 1, { contact: me })]);
    const found = await search(cache, { kind: 'contact', id: 'ann' });
    expect([found.lastFrom?.id, found.lastTo?.id]).toEqual(['with ann 3', 'with ann 2']);
    expect(found.groups.map(({ id, last }) => [id, last.text])).toEqual([['crew', 'ahoy']]);
    expect(found.links.addresses.map(({ href }) => href)).toEqual([
      'https://ferry.example/b',
      'https://ferry.example/a',
    ]);
    expect([found.files, found.searched, found.isDone]).toEqual([['plan.txt'], 6, true]);
    const group = await search(cache, { kind: 'group', id: 'g1' });
    expect([group.lastFrom?.id, group.lastTo?.id, group.groups]).toEqual(['crew 1', 'crew 2', []]);
    expect([found.authors, group.authors.map(({ id }) => id)]).toEqual([[], ['crew 1']]);
  });

  test('has no address that the end of the searched part has cut', async () => {
    const cache = memoryCache();
    for (const units of [3_990, 4_000, 4_085]) {
      const text = `${'word '.repeat(units / 5)}https://ferry.example/timetable and more`;
      cache.saveMessages('with ann', [say('with ann', units, { text })]);
    }
    const { links } = await search(cache, { kind: 'contact', id: 'ann' });
    expect(links.addresses).toEqual([]);
  });

  test('is searched in ten thousand messages in steps, none of which delays a frame', async () => {
    const cache = openCache(temporaryDirectory());
    cache.saveMessages(
      'with ann',
      Array.from({ length: 10_050 }, (_, n) => say('with ann', n, { text: `number ${n} https://x.example/${n}` })),
    );
    let longest = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 10 && longest >= 100; i++) {
      const found = await search(cache, { kind: 'contact', id: 'ann' });
      expect([found.searched, found.links.addresses.length, found.isDone]).toEqual([10_000, 50, true]);
      longest = Math.min(longest, found.longest);
    }
    // A frame has 16 ms. On a busy machine a step may take longer in most searches, but not in every one.
    expect(longest).toBeLessThan(100);
    cache.close();
  });
});
