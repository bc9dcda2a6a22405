/** A message far back is fetched into the cache, and what is shown stays as it is meanwhile. */
import { describe, expect, test, vi } from 'vitest';
import type { HistoryAim } from '../../../../src/state/cache/cached-history.ts';
import type { OpAction } from '../../../../src/state/model/app-state.ts';
import { apiFault } from '../../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld } from '../../../support/worlds/sync-world.ts';

async function worldWith(
  count: number,
  timeOf: (number: number) => number | null = (number) => number * 60_000,
): Promise<SyncWorld> {
  const world = syncWorld();
  world.service.addConversation('c1');
  for (let number = 1; number <= count; number += 1) {
    const said = world.service.say('c1', `m${number}`);
    world.service.messages.set(said.id, { ...said, createdAt: timeOf(number) });
  }
  await world.clock.advance(100);
  world.open('c1');
  await world.clock.advance(1_000);
  return world;
}

const idOf = (world: SyncWorld, text: string): string =>
  [...world.service.messages.values()].find((message) => message.text === text)?.id ?? '';

const textAt = (world: SyncWorld, found: unknown): string | undefined => {
  if (typeof found !== 'object' || found === null || !('id' in found)) return undefined;
  return world.cache.message('c1', String(found.id))?.text;
};

async function fetched(world: SyncWorld, aim: HistoryAim, isWanted = () => true) {
  const pages: (number | null)[] = [];
  let end: unknown = 'pending';
  void world.engine.fetchBack('c1', aim, { isWanted, onPage: (at) => pages.push(at) }).then((answer) => {
    end = answer;
  });
  await world.clock.advance(20_000);
  return { end: end as Awaited<ReturnType<typeof world.engine.fetchBack>> | 'pending', pages };
}

describe('fetching back', () => {
  test('goes on from messages with a time, however many have none and are sorted before them', async () => {
    const world = await worldWith(320, (number) => (number % 4 === 0 ? null : number * 60_000));
    const asked = vi.spyOn(world.service.paging, 'fetchOlder');
    const { end } = await fetched(world, { kind: 'first' });
    expect(end).toMatchObject({ trouble: null });
    expect(world.cache.history('c1', 'newest', 1_000).messages).toHaveLength(320);
    expect(asked.mock.calls.length).toBeGreaterThan(2);
    expect(asked.mock.calls.flatMap(([{ known }]) => known).filter(({ createdAt }) => createdAt === null)).toEqual([]);
    await world.engine.stop();
  });

  test('to the first message reads page after page, and the window that is shown stays', async () => {
    const world = await worldWith(320);
    const before = world.texts();
    expect(world.engine.findInHistory('c1', { kind: 'first' })).toBe('further back');
    const { end, pages } = await fetched(world, { kind: 'first' });
    expect(end).toMatchObject({ trouble: null });
    expect(textAt(world, (end as { found: unknown }).found)).toBe('m1');
    expect(pages.length).toBeGreaterThan(2);
    expect(world.texts()).toEqual(before);
    expect(world.cache.history('c1', 'newest', 1_000).messages).toHaveLength(320);
    expect(textAt(world, world.engine.findInHistory('c1', { kind: 'first' }))).toBe('m1');
    world.engine.needOlder('c1');
    expect(world.texts()).toHaveLength(before.length + 200);
    await world.engine.stop();
  });

  test.each<OpAction>([
    { kind: 'message.edit', conversationId: 'c1', messageId: 'm20', base: 'm20', text: 'changed' },
    { kind: 'message.react', conversationId: 'c1', messageId: 'm20', name: '+1', present: true, confirmed: true },
  ])(
    'after a $kind of a message that was not read yet leaves out nothing between it and the newest page',
    async (action) => {
      const world = await worldWith(320);
      world.send('who I am');
      await world.clock.advance(5_000);
      world.engine.enqueue(action);
      await world.clock.advance(40_000);
      expect(world.store.getState().local.outbox).toEqual([]);
      await fetched(world, { kind: 'first' });
      expect(world.cache.history('c1', 'newest', 1_000).messages).toHaveLength(321);
      await world.engine.stop();
    },
  );

  test('to a message or a moment reads no further than that', async () => {
    const world = await worldWith(320);
    const messageId = idOf(world, 'm200');
    const { end } = await fetched(world, { kind: 'message', messageId });
    expect(end).toMatchObject({ found: { id: messageId }, trouble: null });
    const held = world.cache.history('c1', 'newest', 1_000).messages;
    expect(held.length).toBeLessThan(200);
    const at = world.cache.message('c1', messageId)?.createdAt ?? 0;
    expect(world.engine.findInHistory('c1', { kind: 'date', at })).toMatchObject({ id: messageId });
    expect(world.engine.findInHistory('c1', { kind: 'date', at: at + 1 })).toMatchObject({ id: idOf(world, 'm201') });
    expect(world.engine.findInHistory('c1', { kind: 'date', at: Number.MAX_SAFE_INTEGER })).toBe(null);
    expect(world.engine.findInHistory('c1', { kind: 'date', at: 0 })).toBe('further back');
    expect(world.engine.findInHistory('c1', { kind: 'message', messageId: 'm1' })).toBe('further back');
    await world.engine.stop();
  });

  test('ends when it is no longer wanted, and at the start of the history', async () => {
    const world = await worldWith(320);
    let left = 2;
    const { end, pages } = await fetched(world, { kind: 'first' }, () => left-- > 0);
    expect(end).toBe(null);
    expect(pages.length).toBeLessThan(3);
    expect((await fetched(world, { kind: 'message', messageId: 'nowhere' })).end).toEqual({
      found: null,
      trouble: null,
    });
    await world.engine.stop();
  });

  test('finds a quoted message in the cache only, the nearest one before the reply', async () => {
    const world = await worldWith(60);
    const [author] = [...world.service.messages.values()].map(({ contact }) => contact?.username ?? '');
    const quoted = (body: string, before: string) => {
      const message = world.cache.message('c1', before);
      const quote = { author: author ?? '', body, end: 0 };
      return world.engine.findInHistory('c1', { kind: 'quoted', quote, before: message });
    };
    const requests = world.service.requests.length;
    expect(quoted('m40', idOf(world, 'm50'))).toMatchObject({ id: idOf(world, 'm40') });
    expect(quoted('m40', idOf(world, 'm40'))).toBe(null);
    expect(quoted('m4', idOf(world, 'm50'))).toBe(null);
    expect(world.service.requests).toHaveLength(requests);
    await world.engine.stop();
  });

  test('says why it could not continue', async () => {
    const world = await worldWith(320);
    world.service.fault = () => ({ error: apiFault('network', 'not-applied'), applies: false });
    const { end } = await fetched(world, { kind: 'first' });
    expect(end).toMatchObject({ found: null, trouble: expect.stringMatching(/\w/) });
    await world.engine.stop();
  });
});

describe('closing gaps', () => {
  /** All 360 messages are cached but those from m61 to m310. */
  async function worldWithGap(): Promise<SyncWorld> {
    const world = await worldWith(360);
    await fetched(world, { kind: 'first' });
    const missing = Array.from({ length: 250 }, (_, i) => idOf(world, `m${61 + i}`));
    world.cache.removeMessages('c1', missing);
    world.cache.saveReach('c1', 'end', [idOf(world, 'm311')]);
    world.restart();
    return world;
  }

  async function closed(world: SyncWorld, isWanted = () => true, since: number | null = null): Promise<unknown> {
    let end: unknown = 'pending';
    void world.engine.closeGaps('c1', { isWanted, since }).then((trouble) => {
      end = trouble;
    });
    await world.clock.advance(20_000);
    return end;
  }

  test('fetches what is missing between cached messages', async () => {
    const world = await worldWithGap();
    expect(await closed(world)).toBeNull();
    expect(world.cache.reach('c1').gaps).toEqual([]);
    const texts = world.cache.history('c1', 'newest', 1_000).messages.map(({ text }) => text);
    expect(texts).toEqual(Array.from({ length: 360 }, (_, i) => `m${i + 1}`));
    expect(world.cache.reach('c1').older).toBe('end');
    await world.engine.stop();
  });

  test('fetches only what is not older than wanted', async () => {
    const world = await worldWithGap();
    world.cache.saveReach('c1', 'end', [idOf(world, 'm31'), idOf(world, 'm311')]);
    world.restart();
    const timeOf = (text: string) => world.cache.message('c1', idOf(world, text))?.createdAt ?? null;
    const known = world.service.requests.length;
    expect(await closed(world, () => true, timeOf('m320'))).toBeNull();
    expect(world.service.requests.slice(known).filter((one) => one.startsWith('olderMessages'))).toEqual([]);
    expect(await closed(world, () => true, timeOf('m311'))).toBeNull();
    const [first, second, ...others] = world.cache.reach('c1').gaps;
    expect([first, others]).toEqual([idOf(world, 'm31'), []]);
    expect(world.cache.message('c1', second ?? '')?.createdAt).toBeLessThan(timeOf('m311') ?? 0);
    await world.engine.stop();
  });

  test('says why it could not, and continues from there the next time', async () => {
    const world = await worldWithGap();
    let pages = 0;
    world.service.fault = (operation) =>
      operation === 'olderMessages' && ++pages > 2
        ? { applies: false, error: apiFault('forbidden', 'not-applied', { status: 403 }) }
        : null;
    expect(await closed(world)).toBe('forbidden 403');
    expect(world.cache.reach('c1').gaps).toHaveLength(1);
    world.service.fault = () => null;
    expect(await closed(world, () => false)).toBeNull();
    expect(world.cache.reach('c1').gaps).toHaveLength(1);
    expect(await closed(world)).toBeNull();
    expect(world.cache.reach('c1').gaps).toEqual([]);
    await world.engine.stop();
  });
});
