/** What the header is told while the server fails: that nothing is asked for, and when the next request leaves. */
import { expect, test } from 'vitest';
import { apiFault, type Fault } from '../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld } from '../../support/worlds/sync-world.ts';

const failing = (retryAfterMs = 0): Fault => ({
  applies: false,
  error: apiFault('server', 'ambiguous', { status: 503, ...(retryAfterMs > 0 && { retryAfterMs }) }),
});

async function atRest(): Promise<SyncWorld> {
  const world = syncWorld();
  world.service.addConversation('c1');
  world.service.say('c1', 'hello');
  await world.clock.advance(100);
  world.open('c1');
  await world.clock.advance(600_000);
  return world;
}

const connection = ({ store }: SyncWorld) => store.getState().view.connection;

async function untilTrouble(world: SyncWorld): Promise<void> {
  for (let second = 0; second < 60 && connection(world).status === 'online'; second++) await world.clock.advance(1_000);
}

test('a pause that the request for the open conversation gets is shown, as the list waits too', async () => {
  const world = await atRest();
  world.service.fault = (operation) => (operation === 'listMessages' ? failing(60_000) : null);
  await untilTrouble(world);
  expect(connection(world)).toMatchObject({ status: 'offline', fault: 503 });
  const untilNext = (connection(world).nextPollAt ?? 0) - world.clock.now();
  expect(untilNext).toBeGreaterThan(55_000);
  expect(untilNext).toBeLessThanOrEqual(60_000);
  const before = world.service.requests.length;
  expect(world.engine.pollNow()).toBe(connection(world).nextPollAt);
  expect(connection(world).until).toBe(connection(world).nextPollAt);
  await world.clock.advance(55_000);
  expect(world.service.requests).toHaveLength(before);
  world.service.fault = () => null;
  await world.clock.advance(7_000);
  expect(connection(world).status).toBe('online');
  expect(world.engine.pollNow()).toBe(null);
});

test('the next try is never in the past while the list fails, and its first answer is not waited for as at rest', async () => {
  const world = await atRest();
  world.service.fault = (operation) => (operation === 'listConversations' ? failing() : null);
  await untilTrouble(world);
  for (let second = 0; second < 120; second++) {
    await world.clock.advance(1_000);
    expect(connection(world).status).toBe('offline');
    expect((connection(world).nextPollAt ?? 0) - world.clock.now()).toBeGreaterThanOrEqual(-500);
  }
  world.engine.pollNow();
  await world.clock.advance(1_000);
  world.service.fault = () => null;
  await world.clock.advance(5_000);
  expect(connection(world).status).toBe('online');
});

test('there is no time of the next try while a request waits for its answer', async () => {
  const world = await atRest();
  world.service.fault = () => ({ applies: false, error: apiFault('network', 'not-applied') });
  await untilTrouble(world);
  world.service.fault = () => ({ applies: false, error: 'hang' });
  await world.clock.advance(120_000);
  expect(connection(world)).toMatchObject({ status: 'offline', nextPollAt: null });
});

test.each([503, 429])(
  'the end of the pause that a %i asks for is shown until it is over, also where no answer comes then',
  async (status) => {
    const world = await atRest();
    const kind = status === 429 ? 'rate-limited' : 'server';
    const error = apiFault(kind, 'not-applied', { status, retryAfterMs: 60_000 });
    world.service.fault = () => ({ applies: false, error });
    await untilTrouble(world);
    expect((connection(world).until ?? 0) - world.clock.now()).toBeGreaterThan(55_000);
    world.service.fault = () => ({ applies: false, error: 'hang' });
    await world.clock.advance(65_000);
    expect(connection(world).status).not.toBe('online');
    expect(connection(world).until).toBe(null);
  },
);
