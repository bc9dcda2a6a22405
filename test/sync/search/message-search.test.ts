import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/protocol/types.ts';
import { setReadLine } from '../../../src/state/local/read-lines.ts';
import type { MessageSearchResult } from '../../../src/state/model/app-state.ts';
import { typeText } from '../../../src/state/search/edit-field.ts';
import { followSearch } from '../../../src/state/search/incremental-search.ts';
import {
  type MessageQuery,
  messageSearch,
  openMessageSearch,
  selectMessageSearch,
  toggleSearchScope,
} from '../../../src/state/search/message-search.ts';
import { popOverlay } from '../../../src/state/view/overlays.ts';
import { searchMessages } from '../../../src/sync/search/message-search.ts';
import * as eg from '../../support/builders/eg.ts';
import { epoch } from '../../support/clocks/fake-clock.ts';
import { apiFault } from '../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld } from '../../support/worlds/sync-world.ts';

const text = (n: number): string => `number ${n}, ${n % 2 === 0 ? 'Fähre' : 'train'}`;

const messagesOf = (conversationId: string, count: number): readonly Message[] =>
  Array.from({ length: count }, (_, i) =>
    eg.message({
      id: `${conversationId}-${i}`,
      conversationId,
      createdAt: epoch - (count - i) * 60_000,
      text: text(i),
    }),
  );

/** Started from a cache, without a server: `sizes` says how many messages each conversation has there; `fill` adds others. */
function offline(sizes: Readonly<Record<string, number>>, fill?: (world: SyncWorld) => void): SyncWorld {
  const world = syncWorld();
  world.service.fault = () => ({ applies: false, error: apiFault('network', 'not-applied') });
  for (const [id, count] of Object.entries(sizes)) {
    world.cache.saveConversations([eg.conversation({ id, contactId: `${id}-partner` })]);
    if (count > 0) world.cache.saveMessages(id, messagesOf(id, count));
  }
  fill?.(world);
  world.restart();
  const clock = { ...world.clock, pause: () => new Promise<void>((resolve) => world.clock.after(0, resolve)) };
  const find = (query: MessageQuery) =>
    searchMessages({ store: world.store, cache: world.cache, clock, isClosed: () => false }, query);
  followSearch(world.store, messageSearch(find), clock);
  return world;
}

const finding = (world: SyncWorld) => selectMessageSearch(world.store.getState());
const found = (world: SyncWorld) => finding(world)?.result ?? null;
const hitIds = (world: SyncWorld) => found(world)?.hits.map(({ message }) => message.id);

/** Opens the overlay and types at once. */
function ask(world: SyncWorld, query: string, here: string | null): void {
  world.store.setState(openMessageSearch(here));
  world.store.setState(typeText(query));
}

describe('a search', () => {
  test('begins after a pause in typing, and finds the newest first in one conversation', async () => {
    const world = offline({ c1: 6, c2: 6 });
    ask(world, 'fahr', 'c1');
    await world.clock.advance(100);
    world.store.setState(typeText('FAHRE'));
    await world.clock.advance(110);
    expect(found(world)).toBe(null);
    await world.clock.advance(20);
    expect(hitIds(world)).toEqual(['c1-4', 'c1-2', 'c1-0']);
    expect(found(world)).toMatchObject({ words: ['fahre'], count: 3, isDone: true });
  });

  test('everywhere covers everything that is cached and says how much that was', async () => {
    const world = offline({ c1: 6, c2: 5, empty: 0 });
    ask(world, 'fahre', 'c1');
    world.store.setState(toggleSearchScope);
    await world.clock.advance(200);
    expect(hitIds(world)).toEqual(['c2-4', 'c1-4', 'c2-2', 'c1-2', 'c2-0', 'c1-0']);
    const oldest = epoch - 6 * 60_000;
    expect(found(world)?.coverage).toEqual({ messages: 11, conversations: 2, known: 3, oldest, inPart: 2 });
  });

  test('says of one conversation whether it covers all of it', async () => {
    const world = offline({ c1: 2 });
    ask(world, 'number', 'c1');
    await world.clock.advance(200);
    expect(found(world)?.coverage.inPart).toBe(1);
    world.cache.saveReach('c1', 'end', []);
    world.store.setState(typeText('number 1'));
    await world.clock.advance(200);
    expect(found(world)?.coverage).toMatchObject({ messages: 2, inPart: 0 });
    world.cache.saveReach('c1', 'end', ['c1-1']);
    world.store.setState(typeText('number'));
    await world.clock.advance(200);
    expect(found(world)?.coverage.inPart).toBe(1);
  });

  describe('operators', () => {
    /** Ann and the user in two conversations; the day of `epoch` begins at its midnight in the zone of the tests. */
    function talks(world: SyncWorld): void {
      const dayStart = new Date(epoch).setHours(0, 0, 0, 0);
      const said = (id: string, n: number, rest: Partial<Message>): Message =>
        eg.message({ id: `${id}-${n}`, conversationId: id, createdAt: dayStart - 3_600_000 + n * 1_800_000, ...rest });
      const ann = eg.contact({ id: 'c1-partner', username: 'Ann Müller' });
      const file = { label: 'list.pdf', url: 'https://example.org/list.pdf', size: null, mediaType: null, fields: {} };
      const me = eg.contact({ username: 'somebody' });
      world.cache.saveConversations([
        eg.conversation({ id: 'c1', contactId: 'c1-partner', pinnedMessageId: 'c1-1' }),
        eg.conversation({ id: 'c2', contactId: 'c2-partner' }),
      ]);
      const inFirst = [
        said('c1', 0, { contact: ann, text: 'ferry at nine, see https://example.org' }),
        said('c1', 1, { contact: ann, text: 'ferry `code`' }),
        said('c1', 2, { contact: me, text: 'ferry of mine' }),
        said('c1', 3, { contact: ann, text: 'the ferry leaves', attachments: [file] }),
      ];
      world.cache.saveMessages('c1', inFirst, null, [ann]);
      world.cache.saveMessages('c2', [said('c2', 4, { text: 'ferry elsewhere' })]);
    }

    test.each([
      ['ferry from:müll', ['c1-3', 'c1-1', 'c1-0']],
      ['ferry -from:ann', ['c2-4', 'c1-2']],
      ['from:me', ['c1-2']],
      ['is:mine ferry', ['c1-2']],
      ['has:link', ['c1-3', 'c1-0']],
      ['has:code', ['c1-1']],
      ['has:file ferry', ['c1-3']],
      ['is:pinned', ['c1-1']],
      ['"ferry at"', ['c1-0']],
      ['ferry -leaves -code', ['c2-4', 'c1-2', 'c1-0']],
      ['after:today', ['c2-4', 'c1-3', 'c1-2']],
      ['before:today', ['c1-1', 'c1-0']],
      ['-after:today from:ann', ['c1-1', 'c1-0']],
      ['after:today before:today', []],
      ['ferry has:wings', undefined],
    ])('%s', async (typed, ids) => {
      const world = offline({}, talks);
      ask(world, typed, null);
      await world.clock.advance(200);
      expect(hitIds(world)).toEqual(ids);
      if (ids !== undefined) expect(found(world)).toMatchObject({ count: ids.length, isDone: true });
    });

    test.each([
      ['the message of the read line, also at its time', 'c1-1', ['c1-3', 'c1-2']],
      ['its time where that message is not kept', 'gone', ['c1-3']],
    ])('is:unread finds messages after %s', async (_, messageId, ids) => {
      const at = (n: number): number => epoch - (n < 3 ? 1_000 : 0);
      const world = offline({}, ({ cache }) => {
        const messages = messagesOf('c1', 4).map((one, n) => ({ ...one, createdAt: at(n), rank: n }));
        cache.saveConversations([eg.conversation({ id: 'c1', contactId: 'c1-partner' })]);
        cache.saveMessages('c1', messages);
      });
      world.store.setState(setReadLine('c1', { messageId, at: epoch - 1_000 }));
      ask(world, 'is:unread number', null);
      await world.clock.advance(200);
      expect(hitIds(world)).toEqual(ids);
    });

    test('in: searches the conversations of that name, also from within another one', async () => {
      const world = offline({}, talks);
      ask(world, 'ferry in:ann', 'c2');
      await world.clock.advance(200);
      expect(hitIds(world)).toEqual(['c1-3', 'c1-2', 'c1-1', 'c1-0']);
      expect(found(world)?.conversationId).toBe(null);
      world.store.setState(typeText('ferry -in:ann'));
      await world.clock.advance(200);
      expect(hitIds(world)).toEqual(['c2-4']);
    });

    test('days that are named limit which part of the cache is read', async () => {
      const world = offline({ c1: 3_000 });
      ask(world, 'number after:today', 'c1');
      await world.clock.advance(200);
      const messages = found(world)?.coverage.messages ?? 0;
      expect(messages).toBe(found(world)?.count);
      expect(messages).toBeLessThan(1_441);
    });
  });

  test('keeps the newest hundred matches and counts the others', async () => {
    const world = offline({ c1: 150, c2: 150 });
    ask(world, 'number', null);
    await world.clock.advance(200);
    expect(found(world)).toMatchObject({ count: 300, isDone: true });
    expect(found(world)?.hits.length).toBe(100);
    expect(new Set(hitIds(world))).toEqual(
      new Set(['c1', 'c2'].flatMap((id) => Array.from({ length: 50 }, (_, i) => `${id}-${149 - i}`))),
    );
  });

  test('works in short steps, shows its progress, and reads each message once', async () => {
    const world = offline({ c1: 300, c2: 300 });
    const { scanTexts } = world.cache;
    const texts: string[] = [];
    let steps = 0;
    // Each text takes a millisecond of a clock that is stopped otherwise.
    world.cache.scanTexts = (id, before, visit) => {
      steps++;
      return scanTexts(id, before, (key, shown) => {
        texts.push(`${id} ${shown}`);
        world.clock.jump(1);
        return visit(key, shown);
      });
    };
    const coverages: number[] = [];
    world.store.subscribe((state) => coverages.push(selectMessageSearch(state)?.result?.coverage.messages ?? 0));
    ask(world, 'fahre', null);
    await world.clock.advance(1_000);
    // A part has 20 hits, or a hundred short texts.
    expect(steps).toBeGreaterThan(10);
    expect(texts.length).toBe(600);
    expect(new Set(texts).size).toBe(600);
    expect(coverages.filter((messages) => messages > 0 && messages < 600).length).toBeGreaterThan(0);
    expect(found(world)).toMatchObject({ count: 300, coverage: { messages: 600, conversations: 2 }, isDone: true });
  });

  test('ends when it is closed or the query changes', async () => {
    const world = offline({ c1: 300 });
    let looked = 0;
    const { scanTexts } = world.cache;
    world.cache.scanTexts = (id, before, visit) => {
      looked++;
      return scanTexts(id, before, (key, shown) => {
        world.clock.jump(1);
        return visit(key, shown);
      });
    };
    ask(world, 'fahre', 'c1');
    await world.clock.advance(121);
    const before = looked;
    expect(before).toBeGreaterThan(0);
    world.store.setState(popOverlay);
    await world.clock.advance(500);
    expect(looked).toBe(before);
    ask(world, ' ', 'c1');
    await world.clock.advance(500);
    expect(looked).toBe(before);
    expect(found(world)).toBe(null);
  });

  test('reads only the beginning of a text of megabytes', async () => {
    const world = offline({ c1: 0 });
    const long = `early ${'x'.repeat(100_000)} late`;
    world.cache.saveMessages('c1', [eg.message({ id: 'long', conversationId: 'c1', text: long })]);
    ask(world, 'early', 'c1');
    await world.clock.advance(200);
    expect(hitIds(world)).toEqual(['long']);
    expect(found(world)?.hits[0]?.excerpt.length).toBeLessThan(500);
    world.store.setState(typeText('late'));
    await world.clock.advance(200);
    expect(hitIds(world)).toEqual([]);
  });
});

describe('a search without an overlay', () => {
  const find = (world: SyncWorld, query: MessageQuery, isClosed = () => false) => {
    const clock = { ...world.clock, pause: () => Promise.resolve() };
    return searchMessages({ store: world.store, cache: world.cache, clock, isClosed }, query);
  };

  test('finds in all conversations, changes nothing in the state, and yields the complete result last', async () => {
    const world = offline({ c1: 6, c2: 5 });
    const before = world.store.getState();
    const results: MessageSearchResult[] = [];
    for await (const result of find(world, { text: 'Fähre', conversationId: null })) results.push(result);
    expect(results.at(-1)).toMatchObject({ words: ['fahre'], count: 6, isDone: true });
    expect(results.slice(0, -1).every(({ isDone }) => !isDone)).toBe(true);
    expect(world.store.getState()).toBe(before);
  });

  test('reads no more texts when the caller leaves the loop', async () => {
    const world = offline({ c1: 5_000 });
    const { scanTexts } = world.cache;
    let scans = 0;
    world.cache.scanTexts = (...args) => {
      scans++;
      world.clock.jump(2);
      return scanTexts(...args);
    };
    for await (const result of find(world, { text: 'number', conversationId: 'c1' })) {
      expect(result.hits).toHaveLength(20);
      break;
    }
    await new Promise(setImmediate);
    expect(scans).toBe(1);
  });

  test('finds nothing without a word, and reads nothing of a cache that was closed', async () => {
    const world = offline({ c1: 5 });
    world.cache.scanTexts = () => {
      throw new Error('closed');
    };
    for await (const result of find(world, { text: '  ', conversationId: null }))
      expect(result).toMatchObject({ count: 0, isDone: true });
    for await (const result of find(world, { text: 'number', conversationId: null }, () => true))
      expect(result).toMatchObject({ count: 0, isDone: false });
  });
});

describe('a window around an old message', () => {
  test('is read from the cache on both sides, and can be scrolled back to the newest', () => {
    const world = offline({ c1: 1_000 });
    world.open('c1');
    const target = messagesOf('c1', 1_000)[300]!;
    const key = { createdAt: target.createdAt, rank: target.rank, id: 'c1-300' };
    const cached = world.cache.history('c1', 'newest', 1_000).messages.find(({ id }) => id === 'c1-300')!;
    expect(world.engine.needAround('c1', { ...key, rank: cached.rank })).toBe(true);
    const thread = world.store.getState().cache.threads.get('c1')!;
    expect(thread).toMatchObject({ older: 'disk', newer: 'disk' });
    expect(thread.messages.map(({ id }) => id)).toEqual(Array.from({ length: 400 }, (_, i) => `c1-${100 + i}`));
    world.engine.needNewest('c1');
    expect(world.store.getState().cache.threads.get('c1')?.messages.at(-1)?.id).toBe('c1-999');
  });

  test('reaches the first message of all, and is kept if it has the message already', () => {
    const world = offline({ c1: 300 });
    world.open('c1');
    const [first] = world.cache.history('c1', 'newest', 300).messages;
    expect(world.engine.needAround('c1', first!)).toBe(true);
    const thread = world.store.getState().cache.threads.get('c1')!;
    expect(thread.messages[0]?.id).toBe('c1-0');
    expect(thread.older).toBe('unknown');
    expect(world.engine.needAround('c1', thread.messages[5]!)).toBe(true);
    expect(world.store.getState().cache.threads.get('c1')).toBe(thread);
  });

  test('cannot be read for a message that has been deleted meanwhile', () => {
    const world = offline({ c1: 300 });
    world.open('c1');
    const [first] = world.cache.history('c1', 'newest', 300).messages;
    world.cache.removeMessages('c1', ['c1-0']);
    const before = world.store.getState();
    expect(world.engine.needAround('c1', first!)).toBe(false);
    expect(world.store.getState()).toBe(before);
  });
});
