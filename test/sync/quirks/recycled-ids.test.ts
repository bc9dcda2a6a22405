/** Servers that give the id of a message that is gone to the next one, or begin with their ids anew. */
import { describe, expect, test } from 'vitest';
import { setCapabilities } from '../../../src/state/local/capabilities.ts';
import { apiFault, contact, type FakeService, me } from '../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld } from '../../support/worlds/sync-world.ts';

/** As tables number their rows: one more than the largest id there is. */
function numberAgain(service: FakeService): void {
  const { say, messages } = service;
  service.say = (...call) => {
    const made = say(...call);
    messages.delete(made.id);
    const largest = Math.max(0, ...[...messages.keys()].map((id) => Number(id.slice(1))));
    const message = { ...made, id: `m${largest + 1}` };
    messages.set(message.id, message);
    return message;
  };
}

async function opened(): Promise<SyncWorld> {
  const world = syncWorld();
  numberAgain(world.service);
  world.service.addConversation('c1');
  world.service.say('c1', 'earlier');
  await world.clock.advance(100);
  world.open('c1');
  await world.clock.advance(1_000);
  return world;
}

async function sentAndDeleted(): Promise<SyncWorld> {
  const world = await opened();
  world.send('first');
  await world.clock.advance(5_000);
  world.engine.enqueue({ kind: 'message.delete', conversationId: 'c1', messageId: 'm2' });
  await world.clock.advance(5_000);
  expect(world.texts()).toEqual(['earlier']);
  return world;
}

const heart = { name: 'heart', by: ['ann-name'] };

const ops = (world: SyncWorld) => world.store.getState().local.outbox;

describe('an id that belonged to a deleted message', () => {
  test('does not prevent the next message from being sent', async () => {
    const world = await sentAndDeleted();
    world.send('second');
    await world.clock.advance(1_000);
    expect(ops(world)).toEqual([]);
    await world.clock.advance(60_000);
    expect(world.texts()).toEqual(['earlier', 'second']);
    expect(world.service.postsOf('second')).toBe(1);
  });

  test('does not prevent a message without an answer from being found', async () => {
    const world = await sentAndDeleted();
    world.service.fault = (operation) =>
      operation === 'sendMessage' ? { applies: true, error: apiFault('network', 'ambiguous') } : null;
    world.send('second');
    await world.clock.advance(5_000);
    expect(ops(world)).toEqual([]);
    expect(world.texts()).toEqual(['earlier', 'second']);
  });

  test('does not hide a message of somebody else with it', async () => {
    const world = await sentAndDeleted();
    world.service.say('c1', 'answer', contact('ann'));
    await world.clock.advance(10_000);
    expect(world.texts()).toEqual(['earlier', 'answer']);
  });

  test('stays hidden in a lagging list after the deletion', async () => {
    const world = await opened();
    world.send('first');
    await world.clock.advance(5_000);
    const first = world.service.messages.get('m2');
    world.engine.enqueue({ kind: 'message.delete', conversationId: 'c1', messageId: 'm2' });
    await world.clock.advance(1_000);
    if (first !== undefined) world.service.messages.set('m2', first);
    await world.clock.advance(10_000);
    expect(world.texts()).toEqual(['earlier']);
  });
});

describe('a deletion whose answer was lost, when the next message has the id by now,', () => {
  /** The first answer to a deletion comes late, and is none. */
  async function deletingInDoubt(): Promise<SyncWorld> {
    const world = await opened();
    world.send('first');
    await world.clock.advance(5_000);
    let isFirst = true;
    world.service.fault = (operation) => {
      if (operation !== 'deleteMessage' || !isFirst) return null;
      isFirst = false;
      return { applies: true, error: apiFault('server', 'ambiguous', { status: 500 }) };
    };
    world.engine.enqueue({ kind: 'message.delete', conversationId: 'c1', messageId: 'm2' });
    await world.clock.advance(0);
    expect(ops(world)).toMatchObject([{ state: 'queued' }]);
    return world;
  }

  test('keeps the message that the user has sent with it', async () => {
    const world = await deletingInDoubt();
    world.send('second');
    await world.clock.advance(60_000);
    expect(world.service.copiesOf('second')).toBe(1);
    expect(world.texts()).toEqual(['earlier', 'second']);
    expect(ops(world)).toEqual([]);
  });

  test('keeps a message that no list has shown yet, also after a restart', async () => {
    const world = await deletingInDoubt();
    world.service.say('c1', 'from the phone', me);
    world.restart();
    await world.clock.advance(60_000);
    expect(world.service.copiesOf('from the phone')).toBe(1);
    expect(ops(world)).toEqual([]);
    world.open('c1');
    await world.clock.advance(5_000);
    expect(world.texts()).toEqual(['earlier', 'from the phone']);
  });
});

test('a deletion that waits does not affect the message that has the id by then', async () => {
  const world = await opened();
  world.send('first');
  await world.clock.advance(60_000);
  world.service.fault = () => ({ applies: false, error: apiFault('network', 'not-applied') });
  await world.clock.advance(10_000);
  world.engine.enqueue({ kind: 'message.delete', conversationId: 'c1', messageId: 'm2' });
  world.service.messages.delete('m2');
  world.service.say('c1', 'from the phone', me);
  world.service.fault = () => null;
  world.engine.pollNow();
  await world.clock.advance(60_000);
  expect(world.service.copiesOf('from the phone')).toBe(1);
});

test.each([
  ['a reaction', { kind: 'message.react', name: 'tada', present: true, confirmed: true } as const],
  ['an edit', { kind: 'message.edit', base: 'first', text: 'one' } as const],
])('what %s may have removed from a message is not restored in the one that has its id by then', async (_, action) => {
  const world = await opened();
  const { messages } = world.service;
  world.send('first');
  await world.clock.advance(1_000);
  for (const message of messages.values()) messages.set(message.id, { ...message, reactions: [heart] });
  await world.clock.advance(60_000);
  let isFirst = true;
  world.service.fault = (operation) => {
    if (operation !== 'updateMessage' || !isFirst) return null;
    isFirst = false;
    messages.delete('m2');
    world.service.say('c1', 'first', me);
    return { applies: false, error: apiFault('timeout', 'ambiguous') };
  };
  world.store.setState(setCapabilities({ omittedReactions: { value: 'dropped', at: 0, from: '' } }));
  world.engine.enqueue({ ...action, conversationId: 'c1', messageId: 'm2' });
  await world.clock.advance(60_000);
  expect(isFirst).toBe(false);
  expect(messages.get('m2')).toMatchObject({ text: 'first', reactions: [] });
});

test('a server that was set up anew and counts from the start accepts messages as before', async () => {
  const world = await opened();
  for (const text of ['one', 'two', 'three']) {
    world.send(text);
    await world.clock.advance(3_000);
  }
  world.service.messages.clear();
  await world.clock.advance(10_000);
  world.service.say('c1', 'welcome', contact('ann'));
  world.send('four');
  world.send('five');
  await world.clock.advance(3_000);
  expect(ops(world)).toEqual([]);
  expect(world.service.postsOf('four') + world.service.postsOf('five')).toBe(2);
});

test('a message that a server takes for an existing one does not count as sent by that', async () => {
  const world = await opened();
  world.send('same');
  await world.clock.advance(10_000);
  const { sendMessage } = world.service.client;
  Object.assign(world.service.client, {
    sendMessage: async (...call: Parameters<typeof sendMessage>) => {
      const held = world.service.messages.get('m2');
      const answer = await sendMessage(...call);
      world.service.messages.delete(answer.value.id);
      return { ...answer, value: held ?? answer.value };
    },
  });
  world.service.say('c1', 'between', me);
  world.send('same');
  await world.clock.advance(3_000);
  expect(ops(world).map(({ state }) => state)).toEqual(['unsure']);
});
