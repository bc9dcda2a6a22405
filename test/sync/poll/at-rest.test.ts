/** The requests that reach the server in an hour in which nothing happens. */
import { expect, test } from 'vitest';
import { type SyncWorld, syncWorld } from '../../support/worlds/sync-world.ts';

const hour = 3_600_000;

async function atRest(isOpen: boolean, isFocused: boolean): Promise<SyncWorld> {
  const world = syncWorld();
  for (const id of ['c1', 'c2']) world.service.addConversation(id);
  world.service.say('c1', 'earlier');
  await world.clock.advance(1_000);
  if (isOpen) world.open('c1');
  world.engine.setFocused(isFocused);
  await world.clock.advance(hour / 4);
  return world;
}

test.each([
  [120, 'nothing open', false, true],
  [360, 'one conversation open', true, true],
  [60, 'nothing open, without the focus', false, false],
  [180, 'one conversation open, without the focus', true, false],
] as const)('at most %i requests an hour are made: %s', async (most, _, isOpen, isFocused) => {
  const { clock, service } = await atRest(isOpen, isFocused);
  const before = service.requests.length;
  await clock.advance(hour);
  expect(service.requests.length - before).toBeLessThanOrEqual(most);
});

test('the list and the open conversation are requested in turn, at equal intervals', async () => {
  const { clock, service } = await atRest(true, true);
  const times: number[] = [];
  let seen = service.requests.length;
  for (let second = 0; second < 600; second++) {
    await clock.advance(1_000);
    if (service.requests.length > seen) times.push(second);
    seen = service.requests.length;
  }
  const distances = times.slice(1).map((at, index) => at - (times[index] ?? 0));
  // The conversation every 15 seconds and the list every 30, on average.
  expect(new Set(distances)).toEqual(new Set([10]));
});

test('an hour of messages every twenty seconds stays near the stated number', async () => {
  const world = await atRest(true, true);
  const before = world.service.requests.length;
  for (let message = 0; message < 180; message++) {
    world.service.say('c1', `${message}`);
    await world.clock.advance(hour / 180);
  }
  expect(world.texts()).toHaveLength(181);
  expect(world.service.requests.length - before).toBeLessThan(1_350);
});

test('a change of the setting takes effect at once', async () => {
  const { clock, service, store } = await atRest(true, true);
  store.setState((state) => ({ ...state, settings: { ...state.settings, polling: 'calm' } }));
  await clock.advance(60_000);
  const before = service.requests.length;
  await clock.advance(hour);
  expect(service.requests.length - before).toBeLessThanOrEqual(180);
});
