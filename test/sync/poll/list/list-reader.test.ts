/** Readings of the list: the first one, news below the newest page, and a long list again, a page now and then. */
import { beforeEach, describe, expect, test } from 'vitest';
import { noCapabilities, observe } from '../../../../src/protocol/capabilities.ts';
import type { Conversation } from '../../../../src/protocol/types.ts';
import { updateDraft } from '../../../../src/state/composer/drafts.ts';
import { selectListOrder } from '../../../../src/state/select/selectors.ts';
import * as eg from '../../../support/builders/eg.ts';
import { epoch } from '../../../support/clocks/fake-clock.ts';
import { apiFault } from '../../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld } from '../../../support/worlds/sync-world.ts';

const hour = 3_600_000;
const rowsEach = 10;
let count = 300;
const idOf = (index: number): string => `c${String(index).padStart(4, '0')}`;

let world: SyncWorld;
/** Pages of the list in order: `plain 0`, `plain 10`, `archived 0`; the newest page that polls ask for is `head`. */
let pages: { readonly what: string; readonly at: number }[];
/** What of the server's list its pages show. */
let isListed: (conversation: Conversation) => boolean;
let hearsFilter: boolean;
let hasTags: boolean;

/** Newest first, ten rows a page, the next one by `starting_after`. */
function serveInPages({ service, clock }: SyncWorld): void {
  const listConversations: (typeof service.client)['listConversations'] = async ({
    limit,
    cursor,
    archived,
    ifNoneMatch,
  }) => {
    const wanted = (one: Conversation): boolean => (hearsFilter && archived === true) === (one.archivedAt !== null);
    const all = [...service.conversations.values()]
      .filter((one) => wanted(one) && isListed(one))
      .sort((a, b) => (b.lastActiveAt ?? 0) - (a.lastActiveAt ?? 0));
    const after = cursor?.kind === 'query' ? (cursor.parameters.starting_after ?? null) : null;
    if (cursor !== undefined && after === null) throw apiFault('invalid', 'rejected', { status: 400 });
    const at = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
    const what = limit === 50 && at === 0 && archived !== true ? 'head' : archived === true ? 'archived' : 'plain';
    pages.push({ what: `${what} ${at}`, at: clock.monotonic() });
    service.requests.push(`page ${what} ${at}`);
    const failing = service.fault('page', `${what} ${at}`);
    if (failing !== null && failing.error !== 'hang') throw failing.error;
    const items = all.slice(at, at + rowsEach);
    const value = { items, hasMore: at + rowsEach < all.length, next: null, skipped: 0 };
    const etag = hasTags ? `"${items.map(({ id, lastActiveAt }) => id + lastActiveAt).join()}"` : null;
    return etag !== null && etag === ifNoneMatch ? { notModified: true as const } : { value, etag };
  };
  Object.assign(service.client, { listConversations });
}

const conversations = () => world.store.getState().cache.conversations;
const below = () => pages.filter(({ what }) => !what.endsWith(' 0'));
const asked = (operation: string): readonly string[] =>
  world.service.requests.filter((request) => request.startsWith(operation));

/** `ageMs`: since the list was last read to its end; null: it never was. */
function begin(ageMs: number | null, order: 'newest-first' | 'oldest-first' = 'newest-first'): void {
  const { service, cache, outbox, clock } = world;
  for (const one of [...service.conversations.values()]) {
    const message = service.say(one.id, 'hello');
    service.conversations.set(one.id, one);
    cache.saveConversations([one]);
    cache.saveMessages(one.id, [message]);
  }
  const capabilities = observe(noCapabilities, 'conversationOrder', order, 1, 'GET /v1/conversations');
  outbox.saveRecords([['capabilities', 'conversationOrder', capabilities.conversationOrder ?? null]]);
  if (ageMs !== null) cache.saveListReading({ at: clock.now() - ageMs, pages: 30, leavesOutArchived: false });
  service.requests.length = 0;
  pages = [];
  world.restart();
}

beforeEach(() => {
  fill(300);
});

function fill(conversations: number): void {
  count = conversations;
  world = syncWorld({ revealReading: true });
  isListed = () => true;
  hearsFilter = true;
  hasTags = false;
  pages = [];
  for (let i = 0; i < count; i++)
    world.service.addConversation(idOf(i), { lastActiveAt: epoch - i * 60_000, createdAt: epoch - 24 * hour });
  serveInPages(world);
}

describe('a start', () => {
  test('soon after a full reading requests only the newest page', async () => {
    begin(10_000);
    await world.clock.advance(60_000);
    expect(below()).toEqual([]);
    expect(world.store.getState().view.connection).toMatchObject({ status: 'online', listRest: 'none' });
  });

  test('without an earlier full reading reads the whole list, and remembers that', async () => {
    begin(null);
    await world.clock.advance(10_000);
    expect(below().length).toBeGreaterThanOrEqual(29);
    expect(world.cache.listReading()).toMatchObject({ pages: 30, leavesOutArchived: false });
    world.restart();
    pages = [];
    await world.clock.advance(60_000);
    expect(below()).toEqual([]);
  });

  test('with a validator requests the newest page of a list of some pages first, and reads the list again soon after', async () => {
    fill(60);
    hasTags = true;
    begin(null);
    await world.clock.advance(120_000);
    expect(world.cache.validator(null)).toMatchObject({ isWhole: false, limit: 50 });
    await world.engine.stop();
    await world.clock.advance(hour);
    pages = [];
    world.restart();
    await world.clock.advance(1_000);
    expect(pages.map(({ what }) => what)).toEqual(['head 0']);
    expect(world.store.getState().view.connection.status).toBe('online');
    await world.clock.advance(60_000);
    expect(below().map(({ what }) => what)).toContain('plain 50');
    expect(pages.map(({ what }) => what)).toContain('archived 0');
  });

  test('that fails on an early page reads the whole list anew, reports that meanwhile, and finds what is gone', async () => {
    fill(40);
    begin(null);
    world.service.conversations.delete(idOf(39));
    let failures = 0;
    world.service.fault = (_, subject) => {
      if (subject !== 'plain 20' || failures >= 2) return null;
      failures += 1;
      return { applies: false, error: apiFault('server', 'ambiguous', { status: 500 }) };
    };
    await world.clock.advance(500);
    expect(world.store.getState().view.connection).toMatchObject({ status: 'offline', reason: 'server 500' });
    await world.clock.advance(30_000);
    expect(failures).toBe(2);
    expect(below().filter(({ what }) => what === 'plain 10').length).toBeGreaterThanOrEqual(3);
    expect(conversations().has(idOf(39))).toBe(false);
    expect(conversations().size).toBe(39);
    expect(world.store.getState().view.connection).toMatchObject({ status: 'online', listComplete: true });
  });

  test('that fails on a late page continues there, and at once when the user asks', async () => {
    begin(null);
    let isDown = true;
    world.service.fault = (_, subject) =>
      isDown && subject === 'plain 200' ? { applies: false, error: apiFault('network', 'not-applied') } : null;
    await world.clock.advance(100_000);
    isDown = false;
    const before = below().length;
    await world.clock.advance(10);
    expect(below()).toHaveLength(before);
    world.engine.pollNow();
    await world.clock.advance(1_000);
    expect(
      below()
        .slice(before)
        .map(({ what }) => what)[0],
    ).toBe('plain 190');
    expect(below().filter(({ what }) => what === 'plain 10')).toHaveLength(1);
    expect(below().filter(({ what }) => what === 'plain 290')).toHaveLength(1);
    expect(conversations().size).toBe(count);
  });

  test('reads a list of a few pages again every five minutes, and looks for archived conversations once', async () => {
    fill(40);
    // The engine of the world before it has begun, too.
    await world.clock.advance(0);
    begin(null);
    await world.clock.advance(900_000);
    const whole = pages.filter(({ what }) => what === 'plain 30').length;
    expect(whole).toBeGreaterThanOrEqual(3);
    expect(whole).toBeLessThanOrEqual(4);
    expect(pages.filter(({ what }) => what.startsWith('archived'))).toHaveLength(1);
  });

  test('that sends a message first searches for archived conversations nevertheless', async () => {
    fill(5);
    await world.clock.advance(0);
    let failures = 0;
    world.service.fault = (_, subject) => {
      if (subject !== 'head 0' || failures > 0) return null;
      failures += 1;
      return { applies: false, error: apiFault('server', 'ambiguous', { status: 500 }) };
    };
    begin(null);
    await world.clock.advance(0);
    // The newest page of the list is asked for before a message leaves, and sooner than the list itself again.
    world.engine.enqueue({ kind: 'message.send', conversationId: idOf(0), text: 'hello' });
    await world.clock.advance(600_000);
    expect(asked('sendMessage')).toHaveLength(1);
    expect(pages.filter(({ what }) => what === 'archived 0')).toHaveLength(1);
  });

  test('reads very many archived conversations at the pace of a long list, and not again every five minutes', async () => {
    fill(20);
    await world.clock.advance(0);
    for (let i = 0; i < 400; i++)
      world.service.addConversation(`old ${i}`, { lastActiveAt: 1_000 - i, archivedAt: epoch });
    begin(null);
    await world.clock.advance(900);
    expect(pages.length).toBeLessThan(40);
    await world.clock.advance(9_000);
    expect(conversations().size).toBe(420);
    const read = pages.length;
    await world.clock.advance(310_000);
    // A sweep, besides the newest page.
    expect(pages.slice(read).filter(({ what }) => !what.startsWith('head')).length).toBeLessThan(110);
    expect(world.cache.listReading()).toMatchObject({ pages: 42, leavesOutArchived: true });
  });

  test('does not call the list complete whose archived conversations cannot be read on', async () => {
    fill(15);
    await world.clock.advance(0);
    for (let i = 0; i < 60; i++)
      world.service.addConversation(`old ${i}`, { lastActiveAt: 1_000 - i, archivedAt: epoch });
    const failures = [
      { at: 'archived 50', error: apiFault('server', 'ambiguous', { status: 500 }) },
      { at: 'archived 40', error: apiFault('invalid', 'rejected', { status: 400 }) },
    ];
    world.service.fault = (_, subject) => {
      if (subject !== failures[0]?.at) return null;
      const { error } = failures.shift() ?? {};
      return error === undefined ? null : { applies: false, error };
    };
    begin(null);
    await world.clock.advance(9_000);
    expect(failures).toEqual([]);
    expect(world.store.getState().view.connection).toMatchObject({ listComplete: false, listRest: 'missing' });
  });

  test.each([
    ['a month after it', 30 * 24 * hour, 'newest-first'],
    ['before it, by a clock that was set', -hour, 'newest-first'],
    ['where the newest page does not tell the news', 10_000, 'oldest-first'],
  ] as const)('%s reads the whole list', async (_, ageMs, order) => {
    begin(ageMs, order);
    await world.clock.advance(10_000);
    expect(below().length).toBeGreaterThanOrEqual(29);
  });

  test('with more news than the newest page shows reads on until there is no more', async () => {
    begin(10_000);
    for (let i = 100; i < 135; i++) {
      const id = idOf(i);
      const held = world.service.conversations.get(id);
      if (held !== undefined) world.service.conversations.set(id, { ...held, lastActiveAt: epoch + i });
    }
    await world.clock.advance(9_000);
    expect(selectListOrder(world.store.getState()).slice(0, 35)).toEqual(
      Array.from({ length: 35 }, (_, i) => idOf(134 - i)),
    );
    // Fifty rows are the newest page of other servers.
    expect(below().map(({ what }) => what)).toEqual(['plain 10', 'plain 20', 'plain 30', 'plain 40', 'plain 50']);
    await world.clock.advance(60_000);
    expect(below()).toHaveLength(5);
  });
});

describe('a sweep', () => {
  test('requests a page every few seconds, and never while the user is at the keyboard', async () => {
    begin(hour);
    await world.clock.advance(60_000);
    const times = below().map(({ at }) => at);
    expect(times.length).toBeGreaterThanOrEqual(15);
    expect(times.length).toBeLessThanOrEqual(20);
    for (const [i, at] of times.entries()) if (i > 0) expect(at - (times[i - 1] ?? 0)).toBeGreaterThanOrEqual(3_000);

    const before = below().length;
    for (let i = 0; i < 40; i++) {
      world.store.setState(updateDraft(idOf(0), () => eg.draft('x'.repeat(i + 1))));
      await world.clock.advance(500);
    }
    expect(below()).toHaveLength(before);
    await world.clock.advance(30_000);
    expect(below().length).toBeGreaterThan(before + 5);
  });

  test('takes three times as long without the focus', async () => {
    begin(hour);
    world.engine.setFocused(false);
    await world.clock.advance(90_000);
    expect(below().length).toBeGreaterThanOrEqual(8);
    expect(below().length).toBeLessThanOrEqual(10);
  });

  test('lets polls keep their own pace, one request for the list at a time', async () => {
    begin(hour);
    await world.clock.advance(60_000);
    const heads = pages.filter(({ what }) => what === 'head 0').length;
    expect(heads).toBeGreaterThanOrEqual(5);
    expect(heads).toBeLessThanOrEqual(10);
  });

  test('finds what was archived, pinned or deleted elsewhere, and is remembered', async () => {
    begin(hour);
    await world.clock.advance(1_000);
    const change = (index: number, patch: Partial<Conversation>): void => {
      const held = world.service.conversations.get(idOf(index));
      if (held !== undefined) world.service.conversations.set(idOf(index), { ...held, ...patch });
    };
    change(220, { isPinned: true });
    change(230, { archivedAt: epoch });
    world.service.conversations.delete(idOf(240));
    for (const [id, one] of world.service.messages)
      if (one.conversationId === idOf(240)) world.service.messages.delete(id);
    const saved = world.cache.listReading()?.at;
    await world.clock.advance(200_000);
    expect(conversations().get(idOf(220))?.isPinned).toBe(true);
    expect(conversations().get(idOf(230))?.archivedAt).toBe(epoch);
    expect(conversations().has(idOf(240))).toBe(false);
    expect(conversations().size).toBe(count - 1);
    expect(world.cache.listReading()?.at).toBeGreaterThan(saved ?? 0);
    expect(world.cache.listReading()?.leavesOutArchived).toBe(true);
    expect(asked('retrieveConversation').map((request) => request.split(' ')[1])).toEqual([idOf(240)]);
  });

  test('takes nothing for gone that was left out between its pages', async () => {
    begin(hour);
    isListed = ({ id }) => id !== idOf(150) && id !== idOf(151);
    await world.clock.advance(300_000);
    expect(conversations().size).toBe(count);
    // To retrieve it might count as reading it.
    expect(asked('retrieveConversation')).toEqual([]);
    expect(asked('listMessages').some((request) => request.endsWith(idOf(150)))).toBe(true);
  });

  test('ends if its cursor is refused, and the next one begins at the start', async () => {
    begin(hour);
    const failures = [
      { at: 'plain 100', error: apiFault('server', 'ambiguous', { status: 500 }) },
      // A reading goes on with the page that came last.
      { at: 'plain 90', error: apiFault('invalid', 'rejected', { status: 400 }) },
    ];
    world.service.fault = (_, subject) => {
      if (subject !== failures[0]?.at) return null;
      const { error } = failures.shift() ?? {};
      return error === undefined ? null : { applies: false, error };
    };
    await world.clock.advance(600_000);
    const places = below().map(({ what }) => what);
    expect(failures).toEqual([]);
    expect(places.filter((what) => what === 'plain 50')).toHaveLength(2);
    expect(places.filter((what) => what === 'plain 290')).toHaveLength(1);
    expect(conversations().size).toBe(count);
  });

  test('continues where it was after a failure', async () => {
    begin(hour);
    let failures = 0;
    world.service.fault = (_, subject) => {
      if (subject !== 'plain 100' || failures > 0) return null;
      failures += 1;
      return { applies: false, error: apiFault('server', 'ambiguous', { status: 500 }) };
    };
    await world.clock.advance(120_000);
    const places = below().map(({ what }) => what);
    expect(places.filter((what) => what === 'plain 100')).toHaveLength(2);
    expect(places.filter((what) => what === 'plain 50')).toHaveLength(1);
    expect(conversations().size).toBe(count);
  });

  test('does not end with a list of archived ones that is the plain one again', async () => {
    begin(hour);
    hearsFilter = false;
    await world.clock.advance(300_000);
    expect(pages.filter(({ what }) => what.startsWith('archived'))).toHaveLength(1);
    expect(below().filter(({ what }) => what === 'plain 290')).toHaveLength(1);
    expect(world.cache.listReading()?.leavesOutArchived).toBe(false);
  });
});

test('and a poll without news compare no more conversations if there are more', async () => {
  const looks: number[] = [];
  for (const size of [300, 3_000]) {
    fill(size);
    // The engine of the world before it has begun, too.
    await world.clock.advance(0);
    begin(hour);
    await world.clock.advance(9_000);
    let looked = 0;
    world.store.setState((state) => {
      const counting = new Proxy(state.cache.conversations, {
        get: (map, key) => {
          const value = Reflect.get(map, key);
          if (typeof value !== 'function') return value;
          return (...args: unknown[]) => {
            looked += key === 'get' || key === 'has' ? 1 : map.size;
            return Reflect.apply(value, map, args);
          };
        },
      });
      return { ...state, cache: { ...state.cache, conversations: counting } };
    });
    const { length } = below();
    const heads = pages.length - length;
    await world.clock.advance(60_000);
    expect(below().length - length).toBeGreaterThanOrEqual(15);
    expect(pages.length - below().length - heads).toBeGreaterThanOrEqual(4);
    looks.push(looked);
  }
  expect(looks[0]).toBeGreaterThan(0);
  expect(looks[1]).toBe(looks[0]);
});
