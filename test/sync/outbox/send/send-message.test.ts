/**
 * Servers that list neither a conversation without messages nor its history: the first message goes there all the same. And
 * those that name no senders.
 */
import { describe, expect, test } from 'vitest';
import { markUnread } from '../../../../src/state/local/read-lines.ts';
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

describe('a message to a server that names no senders', () => {
  const unread = ({ store }: SyncWorld): number | undefined => store.getState().cache.unread.get('c1');

  async function opened(): Promise<SyncWorld> {
    const world = syncWorld();
    const { service } = world;
    const { say } = service;
    const withoutSender: typeof say = (...call) => {
      const message = { ...say(...call), contact: null };
      service.messages.set(message.id, message);
      return message;
    };
    Object.assign(service, { say: withoutSender });
    service.addConversation('c1');
    service.say('c1', 'earlier');
    await world.clock.advance(100);
    world.open('c1');
    await world.clock.advance(1_000);
    return world;
  }

  test('does not count as unread', async () => {
    const world = await opened();
    world.send('mine', 'c1');
    await world.clock.advance(60_000);
    expect(world.texts('c1')).toEqual(['earlier', 'mine']);
    expect(unread(world)).toBeUndefined();
  });

  test('leaves unread what was marked so before', async () => {
    const world = await opened();
    world.store.setState(markUnread('c1'));
    world.send('mine', 'c1');
    await world.clock.advance(60_000);
    expect(unread(world)).toBe(2);
  });

  test('leaves unread what came just before it', async () => {
    const world = await opened();
    world.service.hold = (operation) => {
      if (operation === 'sendMessage') world.service.say('c1', 'theirs');
      return null;
    };
    await world.clock.advance(6_000);
    world.store.setState((state) => ({ ...state, view: { ...state.view, openId: null } }));
    world.engine.closeConversation();
    world.send('mine', 'c1');
    await world.clock.advance(60_000);
    expect(unread(world)).toBe(1);
  });
});
