/** Conversations without `last_active_at`: each is read once, and none is called empty before. */
import { beforeEach, expect, test } from 'vitest';
import { selectListOrder } from '../../../src/state/select/list-order.ts';
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

test('conversations are read although none is said to be active; only one that was found empty is called so', async () => {
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

test('a server that names activity is asked once about what has none, and not again in the next run', async () => {
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
