import { describe, expect, test } from 'vitest';
import { ApiError, idMismatchCode } from '../../../src/api/errors.ts';
import { apiFault, me } from '../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld, worldWithFailure } from '../../support/worlds/sync-world.ts';

type OldId = 'unknown' | 'answers-as-new' | 'still-there';

const listedAfterMs = 3_000;

/** Sends are answered with an id of their own, `tmp-m1`; three seconds later lists show the message as `m1`. */
function answerProvisionally({ service, clock }: SyncWorld, oldId: OldId = 'unknown'): void {
  const { client, messages } = service;
  const { sendMessage, retrieveMessage } = client;
  Object.assign(client, {
    sendMessage: async (...call: Parameters<typeof sendMessage>) => {
      const answer = await sendMessage(...call);
      messages.delete(answer.value.id);
      clock.after(listedAfterMs, () => messages.set(answer.value.id, answer.value));
      return { ...answer, value: { ...answer.value, id: `tmp-${answer.value.id}` } };
    },
    retrieveMessage: async (...[id, options]: Parameters<typeof retrieveMessage>) => {
      if (!id.startsWith('tmp-') || oldId === 'unknown') return retrieveMessage(id, options);
      const answer = await retrieveMessage(id.slice(4), options);
      if (oldId === 'still-there') return { ...answer, value: { ...answer.value, id } };
      throw new ApiError({ ...apiFault('not-api', 'ambiguous', { status: 200 }).facts, code: idMismatchCode });
    },
  } satisfies Partial<typeof client>);
}

async function opened(oldId?: OldId): Promise<SyncWorld> {
  const world = syncWorld();
  world.service.addConversation('c1');
  world.service.say('c1', 'earlier');
  await world.clock.advance(100);
  answerProvisionally(world, oldId);
  world.open('c1');
  await world.clock.advance(1_000);
  return world;
}

const idsOf = (world: SyncWorld, text: string) =>
  (world.store.getState().cache.threads.get('c1')?.messages ?? [])
    .filter((message) => message.text === text)
    .map(({ id }) => id);

const notices = (world: SyncWorld) => world.store.getState().screen.notices.map(({ text }) => text);

describe('a message with two ids, one in the answer to its send and one in the list', () => {
  test.each(['unknown', 'answers-as-new'] as const)('is shown once, with the id of the list: %s', async (oldId) => {
    const world = await opened(oldId);
    world.send('hi');
    world.send('hi');
    await world.clock.advance(15_000);
    expect(idsOf(world, 'hi')).toEqual(['m2', 'm3']);
    expect(world.cache.outline('c1', 10).messages.map(({ id }) => id)).toEqual(['m1', 'm2', 'm3']);
    expect(world.store.getState().cache.lastMessages.get('c1')?.id).toBe('m3');
  });

  test('is shown once also if the server still knows the old id', async () => {
    const world = await opened('still-there');
    world.send('hi');
    await world.clock.advance(150_000);
    expect(idsOf(world, 'hi')).toEqual(['m2']);
  });

  test('keeps its earlier texts, and that it was edited', async () => {
    const world = await opened();
    world.send('hi');
    await world.clock.advance(500);
    const held = world.cache.message('c1', 'tmp-m2');
    if (held === null) throw new Error('It is not cached by the id of the answer.');
    world.cache.saveMessages('c1', [{ ...held, text: 'hi!' }]);
    world.cache.saveMessages('c1', [held]);
    await world.clock.advance(15_000);
    expect(idsOf(world, 'hi')).toEqual(['m2']);
    expect(world.cache.versions('c1', 'm2').map(({ text }) => text)).toEqual(['hi!', 'hi']);
    expect(world.store.getState().cache.threads.get('c1')?.edited).toEqual(['m2']);
  });

  test.each(['unknown', 'answers-as-new', 'still-there'] as const)(
    'is not taken for one with the same text that never arrived: %s',
    async (oldId) => {
      const world = await opened(oldId);
      world.send('hi');
      await world.clock.advance(500);
      world.service.fault = (operation) =>
        operation === 'sendMessage' ? { applies: false, error: apiFault('timeout', 'ambiguous') } : null;
      world.send('hi');
      await world.clock.advance(200_000);
      expect(world.service.copiesOf('hi')).toBe(1);
      expect(world.store.getState().local.outbox).toMatchObject([{ state: 'unsure' }]);
    },
  );

  test('is shown once also after a crash', async () => {
    const world = await opened();
    world.send('hi');
    await world.clock.advance(500);
    world.service.hold = (operation) => (operation === 'sendMessage' ? new Promise(() => undefined) : null);
    world.send('hi');
    await world.clock.advance(500);
    world.restart();
    world.open('c1');
    await world.clock.advance(200_000);
    expect(world.service.copiesOf('hi')).toBe(1);
    expect(idsOf(world, 'hi')).toEqual(['m2']);
    expect(world.store.getState().local.outbox).toMatchObject([{ state: 'unsure' }]);
  });

  test('is not a second copy of one that was sent again', async () => {
    const world = await worldWithFailure({ applies: false, error: apiFault('timeout', 'ambiguous') });
    answerProvisionally(world);
    world.send('hi');
    await world.clock.advance(60_000);
    world.engine.retry('u1');
    await world.clock.advance(200_000);
    expect(world.service.copiesOf('hi')).toBe(1);
    expect(notices(world)).toEqual([]);
    expect([...world.outbox.load().resent.values()]).toMatchObject([{ duplicateId: null }]);
  });

  test('keeps the text of an edit by the old id', async () => {
    const world = await opened();
    world.send('hi');
    await world.clock.advance(500);
    world.engine.enqueue({ kind: 'message.edit', conversationId: 'c1', messageId: 'tmp-m2', base: 'hi', text: 'ho' });
    await world.clock.advance(60_000);
    expect(idsOf(world, 'hi')).toEqual(['m2']);
    expect(world.store.getState().local.outbox).toMatchObject([{ state: 'failed', action: { text: 'ho' } }]);
  });

  test('is not one with the same text from another device on a server with lag', async () => {
    const world = await opened();
    const { sendMessage } = world.service.client;
    Object.assign(world.service.client, {
      sendMessage: async (...call: Parameters<typeof sendMessage>) => {
        const answer = await sendMessage(...call);
        const value = { ...answer.value, id: answer.value.id.replace('tmp-', '') };
        world.service.messages.set(value.id, value);
        return { ...answer, value };
      },
    });
    const { fetchNewest } = world.service.paging;
    let isBehind = true;
    Object.assign(world.service.paging, {
      fetchNewest: async (...call: Parameters<typeof fetchNewest>) => {
        const page = await fetchNewest(...call);
        if (!isBehind || 'notModified' in page) return page;
        return { ...page, messages: page.messages.filter(({ id }) => id !== 'm2'), etag: null };
      },
    });
    world.send('hi');
    await world.clock.advance(1_000);
    world.service.say('c1', 'hi', me);
    await world.clock.advance(30_000);
    expect(idsOf(world, 'hi')).toEqual(['m2', 'm3']);
    isBehind = false;
    await world.clock.advance(30_000);
    expect(idsOf(world, 'hi')).toEqual(['m2', 'm3']);
  });
});

describe('a message that is deleted by the id of the answer, which no list has shown', () => {
  const remove = (world: SyncWorld, messageId: string) =>
    world.engine.enqueue({ kind: 'message.delete', conversationId: 'c1', messageId });
  const listed = (world: SyncWorld) => [...world.service.messages.keys()];

  test('is not reported as deleted: a notice says that the server does not find it', async () => {
    const world = await opened();
    world.send('hi');
    await world.clock.advance(500);
    remove(world, 'tmp-m2');
    await world.clock.advance(1_000);
    expect(world.store.getState().local.outbox).toEqual([]);
    expect(notices(world)).toEqual([expect.stringContaining('may still be there')]);
    await world.clock.advance(30_000);
    expect(listed(world)).toEqual(['m1', 'm2']);
    expect(idsOf(world, 'hi')).toEqual(['m2']);
    remove(world, 'm2');
    await world.clock.advance(1_000);
    expect(listed(world)).toEqual(['m1']);
  });

  test('counts as deleted if an earlier attempt may have done it', async () => {
    const world = syncWorld();
    world.service.addConversation('c1');
    await world.clock.advance(100);
    const pages: (() => void)[] = [];
    world.send('hi');
    world.service.hold = (operation) =>
      operation === 'listMessages' ? new Promise((resolve) => pages.push(resolve)) : null;
    await world.clock.advance(50);
    let isFirst = true;
    world.service.fault = (operation) => {
      if (operation !== 'deleteMessage' || !isFirst) return null;
      isFirst = false;
      return { applies: true, error: apiFault('timeout', 'ambiguous') };
    };
    remove(world, 'm1');
    await world.clock.advance(60_000);
    for (const answer of pages.splice(0)) answer();
    await world.clock.advance(1_000);
    expect(listed(world)).toEqual([]);
    expect(notices(world)).toEqual([]);
    expect(world.store.getState().local.outbox).toEqual([]);
  });
});
