import { describe, expect, test } from 'vitest';
import { ApiError, otherResourceCode } from '../../src/api/errors.ts';
import { draftOf, startEditing, updateDraft } from '../../src/state/drafts.ts';
import { selectMessage } from '../../src/state/thread-place.ts';
import { apiFault, me } from '../support/fake-service.ts';
import { type SyncWorld, syncWorld, worldWithFailure } from '../support/sync-world.ts';

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
      throw new ApiError({ ...apiFault('not-api', 'A', { status: 200 }).facts, code: otherResourceCode });
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

const notices = (world: SyncWorld) => world.store.getState().view.notices.map(({ text }) => text);

describe('a message that is listed by another id than it was answered with', () => {
  test.each(['unknown', 'answers-as-new'] as const)('stands there once, by the id of the list: %s', async (oldId) => {
    const world = await opened(oldId);
    world.send('hi');
    world.send('hi');
    await world.clock.advance(15_000);
    expect(idsOf(world, 'hi')).toEqual(['m2', 'm3']);
    expect(world.cache.outline('c1', 10).messages.map(({ id }) => id)).toEqual(['m1', 'm2', 'm3']);
    expect(world.store.getState().cache.lastMessages.get('c1')?.id).toBe('m3');
  });

  test('also where the server goes on to know the old id', async () => {
    const world = await opened('still-there');
    world.send('hi');
    await world.clock.advance(150_000);
    expect(idsOf(world, 'hi')).toEqual(['m2']);
  });

  test.each(['unknown', 'answers-as-new', 'still-there'] as const)(
    'is not taken for one with the same words that never arrived: %s',
    async (oldId) => {
      const world = await opened(oldId);
      world.send('hi');
      await world.clock.advance(500);
      world.service.fault = (operation) =>
        operation === 'sendMessage' ? { applies: false, error: apiFault('timeout', 'A') } : null;
      world.send('hi');
      await world.clock.advance(200_000);
      expect(world.service.copiesOf('hi')).toBe(1);
      expect(world.store.getState().local.outbox).toMatchObject([{ state: 'unsure' }]);
    },
  );

  test('and neither after a crash', async () => {
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

  test('is no second copy of one that was sent again', async () => {
    const world = await worldWithFailure({ applies: false, error: apiFault('timeout', 'A') });
    answerProvisionally(world);
    world.send('hi');
    await world.clock.advance(60_000);
    world.engine.resend('u1');
    await world.clock.advance(200_000);
    expect(world.service.copiesOf('hi')).toBe(1);
    expect(notices(world)).toEqual([]);
    expect(world.outbox.load().resent).toMatchObject([{ found: 'm2', twin: null }]);
  });

  test('goes on being edited, and is selected, by the id of the list', async () => {
    const world = await opened();
    world.send('hi');
    await world.clock.advance(500);
    expect(idsOf(world, 'hi')).toEqual(['tmp-m2']);
    world.store.setState(updateDraft('c1', (draft) => startEditing(draft, 'tmp-m2', 'hi')));
    world.store.setState(selectMessage('c1', 'tmp-m2'));
    await world.clock.advance(15_000);
    expect(draftOf(world.store.getState(), 'c1').editing?.messageId).toBe('m2');
    expect(world.store.getState().view.places.get('c1')?.selectedId).toBe('m2');
  });

  test('what waits to be done to it is done to the other id', async () => {
    const world = await opened();
    world.send('hi');
    await world.clock.advance(500);
    world.service.fault = (operation) =>
      operation.endsWith('Message') ? { applies: false, error: apiFault('server', 'A', { status: 503 }) } : null;
    world.engine.enqueue({ kind: 'message.edit', conversationId: 'c1', messageId: 'tmp-m2', base: 'hi', text: 'ho' });
    await world.clock.advance(2_000);
    world.service.fault = () => null;
    await world.clock.advance(60_000);
    expect(idsOf(world, 'ho')).toEqual(['m2']);
    expect(world.store.getState().local.outbox).toEqual([]);
  });

  test('one of the same words from elsewhere is another message where lists lag', async () => {
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

describe('a message deleted by the id of the answer, which no list has shown', () => {
  const remove = (world: SyncWorld, messageId: string) =>
    world.engine.enqueue({ kind: 'message.delete', conversationId: 'c1', messageId });
  const listed = (world: SyncWorld) => [...world.service.messages.keys()];
  const ops = (world: SyncWorld) => world.store.getState().local.outbox;
  const deletions = (world: SyncWorld) => world.service.requests.filter((one) => one.startsWith('deleteMessage'));

  test('is deleted by the id of the list', async () => {
    const world = await opened();
    world.send('hi');
    await world.clock.advance(500);
    remove(world, 'tmp-m2');
    await world.clock.advance(1_000);
    expect(ops(world)).toMatchObject([{ state: 'queued' }]);
    await world.clock.advance(30_000);
    expect(listed(world)).toEqual(['m1']);
    expect(ops(world)).toEqual([]);
    expect(world.texts()).toEqual(['earlier']);
    expect(world.store.getState().view.notices).toEqual([]);
  });

  test('also where another conversation is open', async () => {
    const world = await opened();
    world.service.addConversation('c2', { contactId: 'bob' });
    world.send('hi');
    await world.clock.advance(500);
    remove(world, 'tmp-m2');
    world.open('c2');
    await world.clock.advance(30_000);
    expect(listed(world)).toEqual(['m1']);
    expect(ops(world)).toEqual([]);
  });

  test('changes behind it do not wait for that', async () => {
    const world = await opened();
    world.send('hi');
    await world.clock.advance(500);
    remove(world, 'tmp-m2');
    world.engine.enqueue({
      kind: 'message.react',
      conversationId: 'c1',
      messageId: 'm1',
      name: '+1',
      present: true,
      confirmed: true,
    });
    await world.clock.advance(1_500);
    expect(ops(world)).toMatchObject([{ action: { kind: 'message.delete' } }]);
  });

  test('is gone where no list ever shows it', async () => {
    const world = await opened();
    world.send('hi');
    await world.clock.advance(500);
    world.service.messages.clear();
    const { set } = world.service.messages;
    world.service.messages.set = (id, message) =>
      id === 'm2' ? world.service.messages : set.call(world.service.messages, id, message);
    remove(world, 'tmp-m2');
    await world.clock.advance(90_000);
    expect(ops(world)).toHaveLength(1);
    await world.clock.advance(150_000);
    expect(ops(world)).toEqual([]);
    expect(world.texts()).not.toContain('hi');
  });

  test.each([
    ['of another time', 20_000],
    ['whose own answer never came', 0],
  ])('one of the same words %s stays', async (how, afterMs) => {
    const world = await opened();
    world.send('hi');
    await world.clock.advance(500);
    const { set } = world.service.messages;
    // Its own row does not come.
    world.service.messages.set = (id, message) =>
      id === 'm2' ? world.service.messages : set.call(world.service.messages, id, message);
    remove(world, 'tmp-m2');
    await world.clock.advance(afterMs);
    if (how === 'of another time') world.service.say('c1', 'hi', me);
    else {
      world.service.fault = (operation) =>
        operation === 'sendMessage' ? { applies: false, error: apiFault('timeout', 'A') } : null;
      world.send('hi');
      world.service.say('c1', 'hi', me);
    }
    await world.clock.advance(300_000);
    expect(listed(world)).toEqual(['m1', 'm3']);
    expect(deletions(world).every((one) => one === 'deleteMessage tmp-m2')).toBe(true);
    expect(ops(world).filter(({ action }) => action.kind === 'message.delete')).toEqual([]);
  });

  test('one of two of the same words goes, the other stays', async () => {
    const world = await opened();
    world.send('hi');
    world.send('hi');
    await world.clock.advance(1_000);
    remove(world, 'tmp-m3');
    await world.clock.advance(60_000);
    expect(listed(world)).toEqual(['m1', 'm2']);
    expect(idsOf(world, 'hi')).toEqual(['m2']);
  });

  test('one of the same moment and words is not taken for one that a list has shown', async () => {
    const world = await opened();
    world.send('hi');
    await world.clock.advance(15_000);
    expect(idsOf(world, 'hi')).toEqual(['m2']);
    const listedOne = world.service.messages.get('m2');
    world.service.fault = (operation) =>
      operation === 'deleteMessage' ? { applies: false, error: apiFault('server', 'A', { status: 503 }) } : null;
    remove(world, 'm2');
    await world.clock.advance(100);
    world.service.messages.delete('m2');
    world.service.messages.set('m9', {
      ...world.service.say('c1', 'hi', me),
      id: 'm9',
      createdAt: listedOne?.createdAt ?? 0,
    });
    world.service.messages.delete('m3');
    await world.clock.advance(15_000);
    world.service.fault = () => null;
    await world.clock.advance(60_000);
    expect(listed(world)).toEqual(['m1', 'm9']);
    expect(ops(world)).toEqual([]);
  });

  test('one that a list has shown is gone when it is not found', async () => {
    const world = await opened();
    world.send('hi');
    await world.clock.advance(15_000);
    expect(idsOf(world, 'hi')).toEqual(['m2']);
    world.service.messages.delete('m2');
    remove(world, 'm2');
    await world.clock.advance(100);
    expect(ops(world)).toEqual([]);
  });
});
