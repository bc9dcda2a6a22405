/** A server whose messages name their conversation in another way than its list does. */
import { expect, test } from 'vitest';
import { apiFault } from '../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld } from '../../support/worlds/sync-world.ts';

async function opened(named: string): Promise<SyncWorld> {
  const world = syncWorld();
  world.service.addConversation('c1');
  world.service.addConversation('c2', { contactId: 'bob' });
  const { fetchNewest } = world.service.paging;
  Object.assign(world.service.paging, {
    fetchNewest: async (...call: Parameters<typeof fetchNewest>) => {
      const page = await fetchNewest(...call);
      return 'notModified' in page ? page : { ...page, messages: [], elsewhere: named };
    },
  } satisfies Partial<typeof world.service.paging>);
  await world.clock.advance(100);
  world.open('c1');
  await world.clock.advance(1_000);
  return world;
}

const failureOf = ({ store }: SyncWorld) => store.getState().view.connection.failures.get('c1');

test('a conversation whose messages name another conversation is not called empty, nor are they called missing', async () => {
  const world = await opened('conv-1');
  expect(failureOf(world)).toMatch(/^This server names another conversation/);
  world.service.fault = (operation) =>
    operation === 'sendMessage' ? { applies: true, error: apiFault('timeout', 'ambiguous') } : null;
  world.send('hi');
  await world.clock.advance(120_000);
  expect(world.outbox.ops()).toMatchObject([{ state: 'unsure', scans: 0 }]);
  expect(world.store.getState().cache.threads.get('c1')?.older).not.toBe('end');
});

test('on a server that ignores conversation_id a conversation without messages is called empty', async () => {
  const world = await opened('c2');
  expect(failureOf(world)).toBeUndefined();
  expect(world.store.getState().cache.threads.get('c1')?.older).toBe('end');
});
