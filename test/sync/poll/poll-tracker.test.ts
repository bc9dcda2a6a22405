/** Conversations without `last_active_at`: each is read once, and none is called empty before. */
import { beforeEach, expect, test } from 'vitest';
import { selectListOrder } from '../../../src/state/select/listed-conversations.ts';
import { createAppStore } from '../../../src/state/store.ts';
import { PollTracker } from '../../../src/sync/poll/poll-tracker.ts';
import * as eg from '../../support/builders/eg.ts';
import { fakeClock } from '../../support/clocks/fake-clock.ts';
import { apiFault } from '../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld } from '../../support/worlds/sync-world.ts';

let world: SyncWorld;

beforeEach(() => {
  world = syncWorld();
});

const cacheNow = () => world.store.getState().cache;
const reads = (id: string): number =>
  world.service.requests.filter((request) => request === `listMessages ${id}`).length;
const say = (id: string, text: string): void => {
  world.service.say(id, text);
  const held = world.service.conversations.get(id);
  if (held !== undefined) world.service.conversations.set(id, { ...held, lastActiveAt: null });
};

test('conversations are read although the list names no activity; only one that was found empty counts as empty', async () => {
  world.service.addConversation('c1', { createdAt: 2_000 });
  world.service.addConversation('c2', { createdAt: 1_000 });
  say('c2', 'there all the time');
  world.service.hold = (request) => (request.startsWith('listMessages') ? new Promise(() => undefined) : null);
  await world.clock.advance(6_000);
  expect([...cacheNow().conversations.keys()].sort()).toEqual(['c1', 'c2']);
  expect([...cacheNow().foundEmpty.keys()]).toEqual([]);

  world.service.hold = () => null;
  world.restart();
  await world.clock.advance(1_000);
  expect(cacheNow().lastMessages.get('c2')?.text).toBe('there all the time');
  expect([...cacheNow().foundEmpty.keys()]).toEqual(['c1']);
  // By its newest message, the other one by its own age.
  expect(selectListOrder(world.store.getState())).toEqual(['c2', 'c1']);
});

test('on a server that names activity, a conversation without it is requested once, and not again in the next run', async () => {
  world.service.addConversation('c1');
  world.service.addConversation('c2');
  world.service.say('c2', 'it is told');
  await world.clock.advance(600_000);
  expect(cacheNow().foundEmpty.has('c1')).toBe(true);
  expect([reads('c1'), reads('c2')]).toEqual([1, 1]);
  world.restart();
  await world.clock.advance(600_000);
  expect(cacheNow().foundEmpty.has('c1')).toBe(true);
  expect(reads('c1')).toBe(1);
});

test.each([
  ['not-found', 404],
  ['forbidden', 403],
] as const)(
  'messages that are answered with %s are requested once until something happens there',
  async (kind, status) => {
    for (const id of ['left', 'c1', 'c2']) world.service.addConversation(id, { createdAt: 500, lastActiveAt: 1_000 });
    world.service.fault = (operation, subject) =>
      operation === 'listMessages' && subject === 'left'
        ? { applies: false, error: apiFault(kind, 'rejected', { status }) }
        : null;
    for (let minutes = 0; minutes < 10; minutes++) {
      world.service.say('c1', `at ${minutes}`);
      // The list takes up to half a minute at rest.
      await world.clock.advance(35_000);
      expect(cacheNow().lastMessages.get('c1')?.text).toBe(`at ${minutes}`);
      await world.clock.advance(25_000);
    }
    expect(reads('left')).toBe(1);
    world.service.fault = () => null;
    world.service.say('left', 'here I am');
    await world.clock.advance(35_000);
    expect(cacheNow().lastMessages.get('left')?.text).toBe('here I am');
  },
);

test('a page that failed is requested again by itself, at growing intervals', async () => {
  world.service.addConversation('c1', { createdAt: 500 });
  world.service.say('c1', 'first');
  await world.clock.advance(6_000);
  expect(cacheNow().lastMessages.get('c1')?.text).toBe('first');
  world.service.fault = (operation) =>
    operation === 'listMessages' ? { applies: false, error: apiFault('server', 'rejected', { status: 500 }) } : null;
  world.service.say('c1', 'once');
  await world.clock.advance(1_200_000);
  expect(reads('c1')).toBeGreaterThan(5);
  expect(reads('c1')).toBeLessThan(30);
  world.service.fault = () => null;
  await world.clock.advance(300_000);
  expect(cacheNow().lastMessages.get('c1')?.text).toBe('once');
  const read = reads('c1');
  await world.clock.advance(600_000);
  expect(reads('c1')).toBe(read);
});

test('a page that failed while it was open is read after the conversation was left', async () => {
  for (const id of ['c1', 'c2']) world.service.addConversation(id, { createdAt: 500 });
  for (const id of ['c1', 'c2']) world.service.say(id, 'first');
  await world.clock.advance(6_000);
  world.service.fault = (operation, subject) =>
    operation === 'listMessages' && subject === 'c1'
      ? { applies: false, error: apiFault('server', 'rejected', { status: 500 }) }
      : null;
  world.open('c1');
  world.service.say('c1', 'while it failed');
  await world.clock.advance(40_000);
  world.open('c2');
  await world.clock.advance(1_000);
  world.service.fault = () => null;
  await world.clock.advance(300_000);
  expect(cacheNow().lastMessages.get('c1')?.text).toBe('while it failed');
});

test('a page that fails now and then delays the others only for a moment, however often it failed before', async () => {
  for (const id of ['bad', 'c1']) world.service.addConversation(id, { createdAt: 500, lastActiveAt: 1_000 });
  world.service.fault = (operation, subject) =>
    operation === 'listMessages' && subject === 'bad'
      ? { applies: false, error: apiFault('server', 'rejected', { status: 500 }) }
      : null;
  for (let minutes = 0; minutes < 10; minutes++) {
    world.service.say('c1', `at ${minutes}`);
    world.service.say('bad', `at ${minutes}`);
    await world.clock.advance(35_000);
    expect(cacheNow().lastMessages.get('c1')?.text).toBe(`at ${minutes}`);
    await world.clock.advance(25_000);
  }
});

test('of a long list the first are read at the start, and others as soon as the list shows them', async () => {
  const ids = Array.from({ length: 60 }, (_, index) => `c${index}`);
  for (const [index, id] of ids.entries()) {
    world.service.addConversation(id);
    world.service.say(id, 'hi');
    const held = world.service.conversations.get(id);
    if (held !== undefined)
      world.service.conversations.set(id, { ...held, lastActiveAt: 1_000_000_000 - index * 1_000 });
  }
  await world.clock.advance(8_000);
  const last = ['c57', 'c58', 'c59'];
  const known = () => last.filter((id) => cacheNow().lastMessages.has(id));
  expect([cacheNow().lastMessages.size, known()]).toEqual([30, []]);
  world.engine.needFirstPages(last);
  await world.clock.advance(2_000);
  expect([cacheNow().lastMessages.size, known()]).toEqual([33, last]);
});

test('news of others do not push back the pages of conversations that the list shows', () => {
  const ids = Array.from({ length: 60 }, (_, index) => `c${index}`);
  const conversations = ids.map((id, index) => eg.conversation({ id, lastActiveAt: 1_000_000 - index }));
  const store = createAppStore(eg.state({ conversations }));
  const tracker = new PollTracker({ clock: fakeClock(), random: () => 0.5, store });
  tracker.wantPages(ids);
  const shown = ['c57', 'c58', 'c59'];
  tracker.wantPagesFirst(shown);
  tracker.wantPages(['c3', 'c58']);
  expect(tracker.state.wantedPages.slice(0, 4)).toEqual([...shown, 'c0']);
  expect(tracker.state.wantedPages).toHaveLength(33);
});
