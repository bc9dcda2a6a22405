/** That a history begins somewhere is one answer's word: it is asked for again where somebody looks, and seldom. */
import { expect, test } from 'vitest';
import { apiFault } from '../support/fake-service.ts';
import { type SyncWorld, syncWorld } from '../support/sync-world.ts';

const asked = ({ service }: SyncWorld): number =>
  service.requests.filter((request) => request.startsWith('olderMessages')).length;

/** 120 messages, of which the newest 50 are read, and the server says that there are no others. */
async function worldAtItsBeginning(denials = 1): Promise<SyncWorld> {
  const world = syncWorld();
  world.service.addConversation('c1');
  for (let number = 1; number <= 120; number += 1) world.service.say('c1', `m${number}`);
  await world.clock.advance(100);
  world.open('c1');
  await world.clock.advance(1_000);
  world.service.denials = denials;
  world.engine.needOlder('c1');
  await world.clock.advance(100);
  expect(world.store.getState().cache.threads.get('c1')?.older).toBe('end');
  world.service.requests.length = 0;
  return world;
}

const look = async (world: SyncWorld, isAsked = false): Promise<void> => {
  world.engine.lookBefore('c1', isAsked);
  await world.clock.advance(100);
};

test('a beginning that was told falsely is none when the user comes to it', async () => {
  const world = await worldAtItsBeginning();
  world.engine.needOlder('c1');
  await world.clock.advance(30_000);
  expect([asked(world), world.texts().length]).toEqual([0, 50]);
  await look(world);
  expect([asked(world), world.texts()[0]]).toEqual([1, 'm21']);
  expect(world.store.getState().cache.threads.get('c1')?.older).toBe('server');
  await world.engine.stop();
});

test('also after a restart', async () => {
  const world = await worldAtItsBeginning();
  world.restart();
  world.open('c1');
  await world.clock.advance(1_000);
  expect(world.store.getState().cache.threads.get('c1')?.older).toBe('end');
  await look(world);
  expect(world.texts()[0]).toBe('m21');
  await world.engine.stop();
});

test('a server that goes on saying so is asked once a minute, and sooner only where the user asks', async () => {
  const world = await worldAtItsBeginning(1_000);
  for (let second = 0; second < 120; second += 1) {
    await look(world);
    await world.clock.advance(900);
  }
  expect(asked(world)).toBe(2);
  await look(world, true);
  await look(world, true);
  expect(asked(world)).toBe(3);
  expect(world.store.getState().view.connection.failures.size).toBe(0);
  await world.engine.stop();
});

test('a server that says so of every page is asked again at once for what comes before the next', async () => {
  const world = await worldAtItsBeginning();
  const { fetchOlder } = world.service.paging;
  Object.assign(world.service.paging, {
    fetchOlder: async (...call: Parameters<typeof fetchOlder>) => ({
      ...(await fetchOlder(...call)),
      reachedStart: true,
    }),
  });
  await look(world);
  await look(world);
  expect([asked(world), world.texts()[0]]).toEqual([2, 'm1']);
  await world.engine.stop();
});

test('a look that fails says nothing, and the next one asks', async () => {
  const world = await worldAtItsBeginning();
  const error = apiFault('server', 'A', { status: 500 });
  world.service.fault = (operation) => (operation === 'olderMessages' ? { applies: false, error } : null);
  await look(world);
  world.service.fault = () => null;
  expect(world.store.getState().view.connection.failures.has('c1')).toBe(false);
  await world.clock.advance(10_000);
  await look(world);
  expect(world.texts()[0]).toBe('m21');
  await world.engine.stop();
});

async function worldOfThirty(): Promise<SyncWorld> {
  const world = syncWorld();
  world.service.addConversation('c1');
  for (let number = 1; number <= 30; number += 1) world.service.say('c1', `m${number}`);
  await world.clock.advance(100);
  world.open('c1');
  await world.clock.advance(1_000);
  return world;
}

test('a gap is not closed because one answer says that nothing comes before it', async () => {
  const world = await worldOfThirty();
  const { service, clock } = world;
  // More comes than one look at the newest shows.
  for (let number = 31; number <= 130; number += 1) service.say('c1', `m${number}`);
  service.denials = 1;
  world.engine.pollNow();
  await clock.advance(1_000);
  expect(world.texts()).toHaveLength(130);
  expect(world.store.getState().cache.threads.get('c1')?.gaps).toEqual([]);
  await world.engine.stop();
});

test('a gap before which everything has gone is given up after two answers', async () => {
  const world = await worldOfThirty();
  const { service, clock } = world;
  service.messages.clear();
  for (let number = 31; number <= 80; number += 1) service.say('c1', `m${number}`);
  for (let number = 81; number <= 85; number += 1) service.say('c1', `m${number}`);
  service.denials = 1_000;
  world.engine.pollNow();
  await clock.advance(20_000);
  expect(world.store.getState().cache.threads.get('c1')?.gaps).toEqual([]);
  expect(asked(world)).toBe(2);
  await world.engine.stop();
});
