/** Conversations that were active after their newest page was read: each is read, however many there are and whatever says so. */
import { beforeEach, expect, test } from 'vitest';
import { type SyncWorld, syncWorld } from '../../support/worlds/sync-world.ts';

let world: SyncWorld;

/** One minute after the start everything that there is has been read. */
async function begin(count: number): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, (_, index) => `c${index + 1}`);
  for (const id of ids) {
    world.service.addConversation(id);
    world.service.say(id, 'earlier');
  }
  await world.clock.advance(60_000);
  for (const id of ids) {
    world.open(id);
    await world.clock.advance(1_000);
  }
  await world.clock.advance(60_000);
  return ids;
}

const previews = (ids: readonly string[]) =>
  ids.map((id) => world.store.getState().cache.lastMessages.get(id)?.text ?? '');

beforeEach(() => {
  world = syncWorld({ revealReading: true });
});

test('a message is read whose activity the answer to a change has shown before the list', async () => {
  const ids = await begin(2);
  world.service.say('c1', 'news');
  world.engine.enqueue({ kind: 'conversation.pin', conversationId: 'c1', value: true });
  await world.clock.advance(40_000);
  expect(world.store.getState().cache.conversations.get('c1')?.isPinned).toBe(true);
  expect(previews(ids)).toEqual(['news', 'earlier']);
});

test('a message is read that came between the last page of the open conversation and its retrieval', async () => {
  const ids = await begin(2);
  world.open('c1');
  world.open('c2');
  world.service.say('c1', 'news');
  await world.engine.read.opened('c1');
  await world.clock.advance(40_000);
  expect(previews(ids)).toEqual(['news', 'earlier']);
});

test('a message is read that came while the list left its conversation out, and a retrieval showed its activity', async () => {
  const ids = await begin(2);
  const { client, requests } = world.service;
  const { listConversations } = client;
  const without = async (...parameters: Parameters<typeof listConversations>) => {
    const answer = await listConversations(...parameters);
    if ('notModified' in answer) return answer;
    const items = answer.value.items.filter(({ id }) => id !== 'c2');
    return { value: { ...answer.value, items }, etag: null };
  };
  Object.assign(client, { listConversations: without });
  world.open('c1');
  requests.length = 0;
  world.service.say('c2', 'news');
  await world.clock.advance(60_000);
  expect(requests).toContain('retrieveConversation c2');
  expect(requests).not.toContain('listMessages c2');
  Object.assign(client, { listConversations });
  await world.clock.advance(60_000);
  expect(previews(ids)).toEqual(['earlier', 'news']);
});

test('if more conversations have news than a start reads at once, the others are read with the next polls', async () => {
  const ids = await begin(45);
  for (const id of ids) world.service.say(id, 'news');
  await world.clock.advance(200_000);
  expect(previews(ids)).toEqual(ids.map(() => 'news'));
});

test('conversations that a run has not read before its end are read by the next one', async () => {
  const ids = await begin(20);
  for (const id of ids) world.service.say(id, 'news');
  world.service.hold = (request) => (request.startsWith('listMessages') ? new Promise(() => undefined) : null);
  await world.clock.advance(40_000);
  world.service.hold = () => null;
  world.restart();
  await world.clock.advance(6_000);
  expect(previews(ids)).toEqual(ids.map(() => 'news'));
});

test('a conversation whose activity is not a message is requested once in a run', async () => {
  const ids = await begin(3);
  for (const [id, held] of world.service.conversations)
    world.service.conversations.set(id, { ...held, lastActiveAt: world.clock.now() });
  await world.clock.advance(60_000);
  world.restart();
  world.service.requests.length = 0;
  for (let i = 0; i < 10; i++) {
    world.service.say('c1', `news ${i}`);
    await world.clock.advance(60_000);
  }
  const reads = (id: string) => world.service.requests.filter((request) => request === `listMessages ${id}`).length;
  expect(ids.slice(1).map(reads)).toEqual([1, 1]);
});
