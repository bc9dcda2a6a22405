/** Servers that list neither a conversation without messages nor its history: the first message goes there all the same. */
import { describe, expect, test } from 'vitest';
import { apiFault } from '../../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld } from '../../../support/worlds/sync-world.ts';

const notFound = apiFault('not-found', 'rejected', { status: 404 });

async function started(revealReading: boolean): Promise<SyncWorld> {
  const world = syncWorld({ revealReading });
  const { client, conversations, messages, paging } = world.service;
  const isEmpty = (id: string | undefined): boolean =>
    [...messages.values()].every(({ conversationId }) => conversationId !== id);
  const { listConversations, listMessages } = client;
  const { fetchNewest } = paging;
  const hidden = async <T>(read: () => Promise<T>): Promise<T> => {
    const empty = [...conversations].filter(([id]) => isEmpty(id));
    for (const [id] of empty) conversations.delete(id);
    const answer = read();
    for (const [id, one] of empty) conversations.set(id, one);
    return answer;
  };
  const found = <T>(id: string | undefined, read: () => Promise<T>): Promise<T> =>
    isEmpty(id) ? Promise.reject(notFound) : read();
  Object.assign(client, {
    listConversations: (...call: Parameters<typeof listConversations>) => hidden(() => listConversations(...call)),
    listMessages: (...call: Parameters<typeof listMessages>) =>
      found(call[0].conversationId, () => listMessages(...call)),
  });
  Object.assign(paging, {
    fetchNewest: (...call: Parameters<typeof fetchNewest>) => found(call[0].conversationId, () => fetchNewest(...call)),
  });
  await world.clock.advance(1_000);
  world.engine.enqueue({ kind: 'conversation.create', contactId: 'bob', groupId: null });
  await world.clock.advance(1_000);
  world.open('new1');
  return world;
}

const ops = (world: SyncWorld) => world.store.getState().local.outbox;

describe('a conversation whose history is not found while it is empty', () => {
  test('gets its first message at once if the server says that the conversation exists', async () => {
    const world = await started(true);
    world.send('hello', 'new1');
    await world.clock.advance(5_000);
    expect(ops(world)).toEqual([]);
    expect(world.texts('new1')).toEqual(['hello']);
    expect(world.service.postsOf('hello')).toBe(1);
  });

  test('gets its first message without a request for the conversation if reading is not revealed', async () => {
    const world = await started(false);
    world.send('hello', 'new1');
    await world.clock.advance(240_000);
    expect(ops(world)).toEqual([]);
    expect(world.service.postsOf('hello')).toBe(1);
    expect(world.service.requests.filter((request) => request.startsWith('retrieveConversation'))).toEqual([]);
  });

  test.each([true, false])('gets no message if the conversation is gone; reading shown: %s', async (revealReading) => {
    const world = await started(revealReading);
    world.service.conversations.delete('new1');
    await world.clock.advance(130_000);
    world.send('hello', 'new1');
    await world.clock.advance(60_000);
    expect(ops(world)).toMatchObject([{ state: 'failed', action: { text: 'hello' } }]);
    expect(world.service.copiesOf('hello')).toBe(0);
  });
});
