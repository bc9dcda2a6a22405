/** A conversation created by an answer with few fields: the rest is requested without marking the conversation as read. */
import { describe, expect, test } from 'vitest';
import { addNotice } from '../../../../src/state/view/notices.ts';
import { apiFault } from '../../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld, type WorldOptions } from '../../../support/worlds/sync-world.ts';

/** A server that answers a creation with the id alone. */
async function ready(options: WorldOptions = {}): Promise<SyncWorld> {
  const world = syncWorld(options);
  const { client } = world.service;
  const { createConversation } = client;
  Object.assign(client, {
    createConversation: async (...call: Parameters<typeof createConversation>) => {
      const answer = await createConversation(...call);
      return {
        ...answer,
        value: { ...answer.value, contactId: null, groupId: null, createdAt: null, timeFormat: null },
      };
    },
  });
  await world.clock.advance(1_000);
  return world;
}

const create = { kind: 'conversation.create', contactId: 'bob', groupId: null } as const;
const found = (world: SyncWorld) => [...world.store.getState().cache.conversations.values()];

describe('an answer with nothing but an id', () => {
  test.each([true, false])('is completed; reading shown: %s', async (revealReading) => {
    const world = await ready({ revealReading });
    world.engine.enqueue(create);
    await world.clock.advance(1_000);
    expect(found(world)).toMatchObject([{ contactId: 'bob', timeFormat: { kind: 'number' } }]);
    const isRetrieved = world.service.requests.some((request) => request.startsWith('retrieveConversation'));
    expect(isRetrieved).toBe(revealReading);
    await world.engine.stop();
  });

  test('ends the notice that it is being created, once it is there', async () => {
    const world = await ready();
    const at = world.clock.now();
    world.store.setState(addNotice({ tone: 'info', text: 'Starting', at, until: at + 60_000, about: 'create' }));
    world.engine.enqueue(create);
    expect(world.store.getState().screen.notices).toHaveLength(1);
    await world.clock.advance(1_000);
    expect(world.store.getState().screen.notices).toEqual([]);
    await world.engine.stop();
  });

  test('is accepted if the rest cannot be read, and the conversation is not created again', async () => {
    const world = await ready({ revealReading: true });
    world.service.fault = (operation) =>
      operation === 'retrieveConversation'
        ? { applies: false, error: apiFault('rate-limited', 'not-applied', { status: 429 }) }
        : null;
    world.engine.enqueue(create);
    await world.clock.advance(60_000);
    expect(world.service.requests.filter((request) => request.startsWith('createConversation'))).toHaveLength(1);
    expect(found(world)).toMatchObject([{ contactId: 'bob' }]);
    expect(world.store.getState().local.outbox).toEqual([]);
    await world.engine.stop();
  });
});

test('a conversation that is started twice before the first answer came is created once', async () => {
  const world = syncWorld();
  await world.clock.advance(1_000);
  world.engine.enqueue(create);
  world.engine.enqueue(create);
  world.engine.enqueue({ ...create, contactId: 'cid' });
  await world.clock.advance(10_000);
  expect(world.service.requests.filter((request) => request.startsWith('createConversation'))).toHaveLength(2);
  expect(found(world).map(({ contactId }) => contactId)).toEqual(['bob', 'cid']);
  expect(world.store.getState().local.outbox).toEqual([]);
  await world.engine.stop();
});

describe('a first message waits for its conversation to be created', () => {
  const withText = { ...create, first: { text: 'Hello Bob' } };

  test.each([
    ['a pause', apiFault('rate-limited', 'not-applied', { status: 429 }), false],
    ['no answer, and it was created', apiFault('timeout', 'ambiguous'), true],
  ] as const)('over %s and a restart, and is sent once', async (_, error, applies) => {
    const world = syncWorld();
    await world.clock.advance(1_000);
    let left = 1;
    world.service.fault = (operation) => (operation === 'createConversation' && left-- > 0 ? { applies, error } : null);
    world.engine.enqueue(withText);
    await world.clock.advance(100);
    expect(world.store.getState().local.outbox).toMatchObject([{ action: withText }]);
    world.restart();
    await world.clock.advance(120_000);
    expect(world.store.getState().local.outbox).toEqual([]);
    expect(found(world)).toHaveLength(1);
    expect(world.service.copiesOf('Hello Bob')).toBe(1);
    await world.engine.stop();
  });

  test('and stays as failed if the conversation is rejected', async () => {
    const world = syncWorld();
    await world.clock.advance(1_000);
    const error = apiFault('not-found', 'rejected', { status: 404 });
    world.service.fault = (operation) => (operation === 'createConversation' ? { applies: false, error } : null);
    world.engine.enqueue(withText);
    await world.clock.advance(5_000);
    const { outbox } = world.store.getState().local;
    expect(outbox).toMatchObject([{ state: 'failed', action: withText }]);
    expect(outbox[0]?.reason).toMatch(/[^.]\. A new conversation takes the id of the contact, not a name\.$/);
    world.service.fault = () => null;
    world.engine.retry(world.store.getState().local.outbox[0]?.uuid ?? '');
    await world.clock.advance(5_000);
    expect(world.service.copiesOf('Hello Bob')).toBe(1);
    await world.engine.stop();
  });
});

describe('a creation without an answer that was not carried out', () => {
  const lost = apiFault('server', 'ambiguous', { status: 503 });

  async function doubtful(): Promise<SyncWorld> {
    const world = syncWorld();
    await world.clock.advance(1_000);
    let left = 1;
    world.service.fault = (operation) =>
      operation === 'createConversation' && left-- > 0 ? { applies: false, error: lost } : null;
    world.engine.enqueue({ ...create, first: { text: 'Hello Bob' } });
    await world.clock.advance(5_000);
    return world;
  }
  const only = (world: SyncWorld) => world.store.getState().local.outbox[0];

  test('is searched for and then given up, also by programs that run for a few seconds each', async () => {
    const world = await doubtful();
    for (let run = 0; run < 5; run++) {
      world.restart();
      await world.clock.advance(10_000);
    }
    expect(only(world)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('look for it before you try again'),
    });
    expect(world.service.conversations.size).toBe(0);
    await world.engine.stop();
  });

  test('is sent again when the user says so', async () => {
    const world = await doubtful();
    world.restart();
    await world.clock.advance(1_000);
    world.engine.retry(only(world)?.uuid ?? '');
    await world.clock.advance(5_000);
    expect(world.store.getState().local.outbox).toEqual([]);
    expect(world.service.copiesOf('Hello Bob')).toBe(1);
    await world.engine.stop();
  });

  test('is not sent again, however often the search for it has to wait', async () => {
    const world = await doubtful();
    Object.assign(world.service.paging, {
      // biome-ignore lint/correctness/useYield: the server limits every reading of the whole list.
      walkConversations: async function* () {
        throw apiFault('rate-limited', 'not-applied', { status: 429, retryAfterMs: 5_000 });
      },
    });
    await world.clock.advance(3_600_000);
    expect(only(world)?.attempts).toHaveLength(20);
    expect(world.service.requests.filter((request) => request.startsWith('createConversation'))).toHaveLength(1);
    await world.engine.stop();
  });
});
