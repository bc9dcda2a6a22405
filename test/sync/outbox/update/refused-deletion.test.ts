/** Servers that answer 404 to the deletion of what the user may not delete: it is there still, and shown. */
import { expect, test } from 'vitest';
import { apiFault } from '../../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld } from '../../../support/worlds/sync-world.ts';

const notFound = apiFault('not-found', 'rejected', { status: 404 });

async function opened(revealReading: boolean): Promise<SyncWorld> {
  const world = syncWorld({ revealReading });
  world.service.addConversation('c1');
  world.service.say('c1', 'earlier');
  await world.clock.advance(100);
  world.open('c1');
  await world.clock.advance(1_000);
  world.service.fault = (operation) => (operation.startsWith('delete') ? { applies: false, error: notFound } : null);
  return world;
}

const notices = (world: SyncWorld) => world.store.getState().screen.notices.map(({ text }) => text);
const said = [expect.stringContaining('It was not deleted')];

test('a message that is there still is not taken for deleted', async () => {
  const world = await opened(false);
  world.engine.enqueue({ kind: 'message.delete', conversationId: 'c1', messageId: 'm1' });
  await world.clock.advance(20_000);
  expect(world.texts()).toEqual(['earlier']);
  expect(world.store.getState().local.outbox).toEqual([]);
  expect(notices(world)).toEqual(said);
});

test.each([true, false])('nor is a conversation; reading shown: %s', async (revealReading) => {
  const world = await opened(revealReading);
  const retrievals = () => world.service.requests.filter((one) => one.startsWith('retrieveConversation')).length;
  const before = retrievals();
  world.engine.enqueue({ kind: 'conversation.delete', conversationId: 'c1' });
  await world.clock.advance(20_000);
  expect([...world.store.getState().cache.conversations.keys()]).toEqual(['c1']);
  expect(world.store.getState().local.outbox).toEqual([]);
  expect(notices(world)).toEqual(said);
  if (!revealReading) expect(retrievals()).toBe(before);
});

test('what somebody else has deleted goes, also where reads lag behind that for a while', async () => {
  const world = await opened(false);
  world.clock.after(4_000, () => world.service.messages.clear());
  world.engine.enqueue({ kind: 'message.delete', conversationId: 'c1', messageId: 'm1' });
  await world.clock.advance(20_000);
  expect(world.texts()).toEqual([]);
  expect(notices(world)).toEqual([]);
});
