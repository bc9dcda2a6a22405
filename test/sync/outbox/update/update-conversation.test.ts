/** Changes of a conversation whose answer does not show whether they were made: looked at before they are repeated. */
import { describe, expect, test } from 'vitest';
import { markRead, markUnread } from '../../../../src/state/local/read-lines.ts';
import type { OpAction } from '../../../../src/state/model/app-state.ts';
import { apiFault, me } from '../../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld } from '../../../support/worlds/sync-world.ts';

const pin = (value: boolean): OpAction => ({ kind: 'conversation.pin', conversationId: 'c1', value });
const archive = (at: number | null): OpAction => ({ kind: 'conversation.archive', conversationId: 'c1', at });
const pinMessage = (messageId: string | null): OpAction => ({
  kind: 'conversation.pinMessage',
  conversationId: 'c1',
  messageId,
});

const answers = {
  'a 500': apiFault('server', 'ambiguous', { status: 500 }),
  'a 303': apiFault('redirect', 'ambiguous', { status: 303 }),
  'a reset': apiFault('network', 'ambiguous', { code: 'ECONNRESET' }),
};

interface Options {
  readonly revealReading?: boolean;
  /** Set: what is not sent is known to be left alone, so that nothing is looked at beforehand. */
  readonly isRuleKnown?: boolean;
}

async function ready({ revealReading = true, isRuleKnown = false }: Options = {}): Promise<SyncWorld> {
  const world = syncWorld({ revealReading });
  const { service, clock } = world;
  service.addConversation('c1', { isMuted: isRuleKnown });
  service.addConversation('c2');
  service.say('c1', 'old', me);
  await clock.advance(1_000);
  world.store.setState(markRead('c1'));
  if (!isRuleKnown) return world;
  for (const value of [true, false]) {
    world.engine.enqueue(pin(value));
    await clock.advance(10_000);
  }
  expect(world.store.getState().local.capabilities.conversationPutRule?.value).toBe('partial');
  // Nothing else is on from now on, so that a change has nothing to compare.
  service.addConversation('c1');
  await clock.advance(400_000);
  service.requests.length = 0;
  return world;
}

const requestsOf = ({ service }: SyncWorld, operation: string): number =>
  service.requests.filter((request) => request === `${operation} c1`).length;
const outbox = (world: SyncWorld) => world.store.getState().local.outbox;
const now = ({ service }: SyncWorld) => service.conversations.get('c1');

describe.each(Object.entries(answers))('a change that is carried out, and always answered with %s', (_, error) => {
  test.each([true, false])('is recognised, reading shown: %s', async (revealReading) => {
    const world = await ready({ revealReading });
    const { service, clock } = world;
    service.fault = (operation) => (operation === 'updateConversation' ? { applies: true, error } : null);
    const at = clock.now();
    const mute: OpAction = { kind: 'conversation.mute', conversationId: 'c1', value: true };
    const wishes = [pin(true), mute, archive(at), archive(null), pinMessage('m1'), pinMessage(null), pin(false)];
    for (const [index, wish] of wishes.entries()) {
      world.engine.enqueue(wish);
      await clock.advance(20_000);
      expect(outbox(world)).toEqual([]);
      expect(requestsOf(world, 'updateConversation')).toBe(index + 1);
    }
    expect(now(world)).toMatchObject({ isPinned: false, isMuted: true, archivedAt: null, pinnedMessageId: null });
    expect(world.store.getState().screen.notices).toEqual([]);
    if (!revealReading) expect(requestsOf(world, 'retrieveConversation')).toBe(0);
    await world.engine.stop();
  });

  test('is recognised by the next process', async () => {
    const world = await ready({ isRuleKnown: true });
    const { service, clock } = world;
    service.fault = (operation) => (operation === 'updateConversation' ? { applies: true, error } : null);
    world.engine.enqueue(pin(true));
    await clock.advance(100);
    world.restart();
    await clock.advance(20_000);
    expect(outbox(world)).toEqual([]);
    expect(requestsOf(world, 'updateConversation')).toBe(1);
  });

  test('is taken back on the server if the user takes it back before the check', async () => {
    const world = await ready();
    const { service, clock } = world;
    service.fault = (operation) => (operation === 'updateConversation' ? { applies: true, error } : null);
    world.engine.enqueue(pin(true));
    await clock.advance(100);
    expect(now(world)).toMatchObject({ isPinned: true });
    world.engine.enqueue(pin(false));
    await clock.advance(60_000);
    expect(outbox(world)).toEqual([]);
    expect(now(world)).toMatchObject({ isPinned: false });
  });

  test('is sent again as long as it is not carried out', async () => {
    const world = await ready({ isRuleKnown: true });
    const { service, clock } = world;
    let left = 3;
    service.fault = (operation) =>
      operation === 'updateConversation' && left-- > 0 ? { applies: false, error } : null;
    world.engine.enqueue(pin(true));
    await clock.advance(60_000);
    expect(outbox(world)).toEqual([]);
    expect(now(world)).toMatchObject({ isPinned: true });
    expect(requestsOf(world, 'updateConversation')).toBe(4);
    expect(requestsOf(world, 'retrieveConversation')).toBe(3);
  });

  test('is searched for in the list while something is unread, as a retrieval may count as reading', async () => {
    const world = await ready({ isRuleKnown: true });
    const { service, clock, store } = world;
    service.say('c1', 'unread');
    await clock.advance(70_000);
    expect(store.getState().cache.unread.get('c1')).toBe(1);
    service.fault = (operation) => (operation === 'updateConversation' ? { applies: true, error } : null);
    world.engine.enqueue(pin(true));
    await clock.advance(60_000);
    expect(outbox(world)).toEqual([]);
    expect(requestsOf(world, 'updateConversation')).toBe(1);
    expect(requestsOf(world, 'retrieveConversation')).toBe(0);
  });
});

test('is checked by a retrieval of an unread conversation that no list shows, if its answer does not show it', async () => {
  const world = await ready();
  const { service, clock, store } = world;
  store.setState(markUnread('c1', store.getState().cache.threads.get('c1')?.messages));
  const { client } = service;
  const { updateConversation } = client;
  Object.assign(client, {
    updateConversation: async (...call: Parameters<typeof updateConversation>) => {
      const { value } = await updateConversation(...call);
      return { value: { ...value, contactId: null, timeFormat: null, isPinned: false }, etag: null };
    },
    listConversations: () =>
      Promise.resolve({ value: { items: [], hasMore: false, next: null, skipped: 0 }, etag: null }),
  });
  world.engine.enqueue(pin(true));
  await clock.advance(10_000);
  expect(outbox(world)).toEqual([]);
  expect(store.getState().cache.conversations.get('c1')?.isPinned).toBe(true);
  expect(store.getState().screen.notices).toEqual([]);
});

test.each([true, false])('is retrieved if the list leaves it out only while nothing is unread: %s', async (isRead) => {
  const world = await ready();
  const { service, clock, store } = world;
  if (!isRead) store.setState(markUnread('c1', store.getState().cache.threads.get('c1')?.messages));
  const held = service.conversations.get('c1');
  await clock.advance(1_000);
  service.requests.length = 0;
  service.conversations.delete('c1');
  const { client } = service;
  Object.assign(client, {
    retrieveConversation: () => {
      service.requests.push('retrieveConversation c1');
      return Promise.resolve({ value: held, etag: null });
    },
  });
  await clock.advance(70_000);
  expect(store.getState().cache.conversations.has('c1')).toBe(true);
  expect(requestsOf(world, 'retrieveConversation') > 0).toBe(isRead);
});

test('is not searched for if it never reached the server', async () => {
  const world = await ready({ isRuleKnown: true });
  const { service, clock } = world;
  let left = 2;
  service.fault = (operation) =>
    operation === 'updateConversation' && left-- > 0
      ? { applies: false, error: apiFault('network', 'not-applied') }
      : null;
  world.engine.enqueue(pin(true));
  await clock.advance(60_000);
  expect(now(world)).toMatchObject({ isPinned: true });
  expect(requestsOf(world, 'updateConversation')).toBe(3);
  expect(requestsOf(world, 'retrieveConversation')).toBe(0);
});

test.each(Object.entries(answers))('at most twelve requests a minute leave while all get %s', async (_, error) => {
  const world = await ready({ isRuleKnown: true });
  const { service, clock } = world;
  const from = service.requestTimes.length;
  service.fault = () => ({ applies: false, error });
  for (const kind of ['conversation.pin', 'conversation.mute'] as const)
    world.engine.enqueue({ kind, conversationId: 'c2', value: true });
  world.engine.enqueue(pin(true));
  await clock.advance(600_000);
  const times = service.requestTimes.slice(from);
  const inAMinute = times.map((time) => times.filter((other) => other >= time && other < time + 60_000).length);
  // Those under way when it began are not held back.
  expect(Math.max(...inAMinute)).toBeLessThanOrEqual(12);
});

test('a setting that was reset after another one was kept is restored, and all are sent from then on', async () => {
  const world = await ready();
  const { client, conversations } = world.service;
  const { updateConversation } = client;
  const act = async (action: OpAction): Promise<void> => {
    world.engine.enqueue(action);
    await world.clock.advance(20_000);
  };
  // Switches are kept, and what is pinned is reset.
  Object.assign(client, {
    updateConversation: async (...[id, sent, options]: Parameters<typeof updateConversation>) =>
      updateConversation(id, { pinnedMessageId: '', ...sent }, options),
  });
  await act(pin(true));
  await act({ kind: 'conversation.mute', conversationId: 'c1', value: true });
  expect(world.store.getState().local.capabilities.conversationPutRule?.value).toBe('partial');
  await act(pinMessage('m1'));
  await act({ kind: 'conversation.mute', conversationId: 'c1', value: false });
  expect(conversations.get('c1')).toMatchObject({ isPinned: true, isMuted: false, pinnedMessageId: 'm1' });
  expect(world.store.getState().local.capabilities.conversationPutRule?.value).toBe('full-replace');
  await act(pin(false));
  expect(conversations.get('c1')).toMatchObject({ isPinned: false, isMuted: false, pinnedMessageId: 'm1' });
});

test('a conversation that is gone teaches nothing about how a message is unpinned', async () => {
  const world = await ready({ isRuleKnown: true });
  const message = [...world.service.messages.keys()][0] ?? '';
  world.service.addConversation('c1', { pinnedMessageId: message });
  await world.clock.advance(60_000);
  const gone = apiFault('not-found', 'rejected', { status: 404 });
  world.service.fault = (operation, subject) =>
    subject.startsWith('c1') && !operation.startsWith('list') ? { applies: false, error: gone } : null;
  world.engine.enqueue(pinMessage(null));
  await world.clock.advance(20_000);
  expect(world.store.getState().local.capabilities.clearPinnedMessage).toBeUndefined();
  const notices = world.store.getState().screen.notices.map(({ text }) => text);
  expect(notices.join()).not.toContain('cannot unpin');
});

describe('on a server that resets what is not sent, which a change with a failing second request shows', () => {
  const mute: OpAction = { kind: 'conversation.mute', conversationId: 'c1', value: true };

  async function resetting(): Promise<SyncWorld> {
    const world = await ready();
    const { service } = world;
    const { updateConversation } = service.client;
    Object.assign(service.client, {
      updateConversation: async (...[id, sent, options]: Parameters<typeof updateConversation>) =>
        updateConversation(
          id,
          { isPinned: false, isMuted: false, pinnedMessageId: '', archivedAt: '', ...sent },
          options,
        ),
    });
    service.addConversation('c1', { isPinned: true, pinnedMessageId: 'm1', archivedAt: world.clock.now() });
    await world.clock.advance(400_000);
    return world;
  }

  const all = { isPinned: true, isMuted: true, pinnedMessageId: 'm1', archivedAt: expect.any(Number) };

  test.each(Object.entries({ ...answers, 'a 429': apiFault('rate-limited', 'not-applied', { status: 429 }) }))(
    'by %s, the other settings are restored later',
    async (_, error) => {
      const world = await resetting();
      let puts = 0;
      world.service.fault = (operation) =>
        operation === 'updateConversation' && ++puts === 2 ? { applies: false, error } : null;
      world.engine.enqueue(mute);
      await world.clock.advance(120_000);
      expect(now(world)).toMatchObject(all);
      expect(outbox(world)).toEqual([]);
    },
  );

  test.each(Object.entries(answers))('or whose first request is carried out and answered with %s', async (_, error) => {
    const world = await resetting();
    let puts = 0;
    world.service.fault = (operation) =>
      operation === 'updateConversation' && ++puts === 1 ? { applies: true, error } : null;
    world.engine.enqueue(mute);
    await world.clock.advance(100);
    expect(now(world)).toMatchObject({ isPinned: false, isMuted: true });
    world.restart();
    await world.clock.advance(120_000);
    expect(now(world)).toMatchObject(all);
    expect(outbox(world)).toEqual([]);
  });

  test('a setting that the user changes before the ambiguous answer is checked is not reset', async () => {
    const world = await resetting();
    let puts = 0;
    world.service.fault = (operation) =>
      operation === 'updateConversation' && ++puts === 1 ? { applies: true, error: answers['a 500'] } : null;
    world.engine.enqueue(mute);
    await world.clock.advance(100);
    world.engine.enqueue(pin(false));
    await world.clock.advance(120_000);
    expect(now(world)).toMatchObject({ ...all, isPinned: false });
    expect(outbox(world)).toEqual([]);
  });

  test('and if the program ends before, the next one restores them', async () => {
    const world = await resetting();
    let puts = 0;
    world.service.fault = (operation) =>
      operation === 'updateConversation' && ++puts === 2
        ? { applies: false, error: apiFault('network', 'not-applied') }
        : null;
    world.engine.enqueue(mute);
    await world.clock.advance(100);
    world.restart();
    await world.clock.advance(120_000);
    expect(now(world)).toMatchObject(all);
  });

  test('a setting that the user has changed meanwhile is not reset', async () => {
    const world = await resetting();
    let puts = 0;
    world.service.fault = (operation) => {
      if (operation !== 'updateConversation' || ++puts !== 2) return null;
      world.engine.enqueue(pin(false));
      return { applies: false, error: apiFault('server', 'ambiguous', { status: 503 }) };
    };
    world.engine.enqueue(mute);
    await world.clock.advance(120_000);
    expect(now(world)).toMatchObject({ ...all, isPinned: false });
  });
});

test('a change that was accepted and could not be read is taken back on the server', async () => {
  const world = await ready({ isRuleKnown: true });
  const { client } = world.service;
  const { updateConversation } = client;
  const limited = apiFault('rate-limited', 'not-applied', { status: 429, retryAfterMs: 60_000 });
  Object.assign(client, {
    updateConversation: async (...call: Parameters<typeof updateConversation>) => {
      client.updateConversation = updateConversation;
      const { value, ...answer } = await updateConversation(...call);
      world.service.fault = (operation) =>
        operation === 'retrieveConversation' ? { applies: false, error: limited } : null;
      return { ...answer, value: { ...value, contactId: null, timeFormat: null, isPinned: false } };
    },
  });
  world.engine.enqueue(pin(true));
  await world.clock.advance(1_000);
  expect(now(world)).toMatchObject({ isPinned: true });
  world.engine.enqueue(pin(false));
  world.service.fault = () => null;
  await world.clock.advance(120_000);
  expect(now(world)).toMatchObject({ isPinned: false });
  expect(outbox(world)).toEqual([]);
});
