/** One message or conversation that a server hides from the user, as after leaving a group: all others are read as before. */
import { describe, expect, test } from 'vitest';
import { apiFault } from '../../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld } from '../../../support/worlds/sync-world.ts';

const answers = [
  apiFault('forbidden', 'not-applied', { status: 403 }),
  apiFault('invalid', 'rejected', { status: 451 }),
  apiFault('server', 'ambiguous', { status: 500 }),
];

async function opened(): Promise<SyncWorld> {
  const world = syncWorld({ revealReading: true });
  const { paging } = world.service;
  const { fetchNewest } = paging;
  // A server without validators: every page is a whole answer.
  Object.assign(paging, {
    fetchNewest: async ({ ifNoneMatch: _, ...request }: Parameters<typeof fetchNewest>[0]) => ({
      ...(await fetchNewest(request)),
      etag: null,
    }),
  });
  world.service.addConversation('c1');
  for (const id of ['c2', 'c3']) world.service.addConversation(id, { contactId: `with ${id}` });
  for (const text of ['one', 'two', 'three']) {
    world.service.say('c1', text);
    await world.clock.advance(2_000);
  }
  world.open('c1');
  await world.clock.advance(2_000);
  return world;
}

const connection = (world: SyncWorld) => world.store.getState().view.connection;

describe.each(answers)('$message', (error) => {
  test('as the answer for a message that a page lacks, it is no failure of the page', async () => {
    const world = await opened();
    world.service.messages.delete('m2');
    world.service.fault = (operation) => (operation === 'retrieveMessage' ? { applies: false, error } : null);
    await world.clock.advance(90_000);
    expect(connection(world).failures.get('c1')).toBeUndefined();
    expect(world.texts()).toEqual(['one', 'two', 'three']);
    world.service.say('c1', 'four');
    await world.clock.advance(16_000);
    expect(world.texts()).toEqual(['one', 'two', 'three', 'four']);
    const looks = world.service.requests.filter((request) => request === 'retrieveMessage m2');
    expect(looks.length).toBeLessThan(4);
  });

  test('as the answer for a conversation that the list lacks, it is no failure of the list', async () => {
    const world = await opened();
    for (const id of ['c2', 'c3']) world.service.conversations.delete(id);
    world.service.fault = (operation, subject) =>
      operation === 'retrieveConversation' && subject === 'c2' ? { applies: false, error } : null;
    await world.clock.advance(400_000);
    expect(connection(world)).toMatchObject({ status: 'online', reason: null });
    expect([...world.store.getState().cache.conversations.keys()]).toEqual(['c1', 'c2']);
    expect(world.service.requests.filter((one) => one === 'retrieveConversation c2').length).toBeLessThan(6);
  });
});
