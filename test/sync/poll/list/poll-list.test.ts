/** A server that refuses the limit that is usually asked for, from the start or from one day on. */
import { beforeEach, expect, test } from 'vitest';
import { setCapabilities } from '../../../../src/state/local/capabilities.ts';
import { apiFault } from '../../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld } from '../../../support/worlds/sync-world.ts';

let world: SyncWorld;
let mostRows: number;
const isAllowed = (limit: number | undefined): boolean => (limit ?? 10) <= mostRows;

beforeEach(() => {
  world = syncWorld();
  mostRows = 20;
  const { client } = world.service;
  const { listConversations } = client;
  Object.assign(client, {
    listConversations: async (...call: Parameters<typeof listConversations>) => {
      if (!isAllowed(call[0].limit)) throw apiFault('invalid', 'rejected', { status: 400 });
      return listConversations(...call);
    },
  });
});

const isKnown = (id: string): boolean => world.store.getState().cache.conversations.has(id);

test('a server that refuses a limit is asked for no more than it accepts', async () => {
  world.service.addConversation('c1');
  await world.clock.advance(1_000);
  world.service.addConversation('c2');
  await world.clock.advance(10_000);
  expect(isKnown('c2')).toBe(true);
  expect(world.store.getState().view.connection.status).toBe('online');
});

test('when the server accepts less than before, its largest limit is learned again', async () => {
  world.service.addConversation('c1');
  await world.clock.advance(1_000);
  mostRows = 10;
  world.service.addConversation('c2');
  await world.clock.advance(60_000);
  expect(isKnown('c2')).toBe(true);
  expect(world.store.getState().view.connection.status).toBe('online');
});

test('once the learned limit is forgotten, the default is requested again', async () => {
  world.service.addConversation('c1');
  await world.clock.advance(1_000);
  world.store.setState(setCapabilities({}));
  world.service.addConversation('c2');
  await world.clock.advance(60_000);
  expect(isKnown('c2')).toBe(true);
});
