/** Changes that never succeed come to an end also where programs run for a few seconds each, as commands do. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { OpAction } from '../../../../src/state/model/app-state.ts';
import { apiFault, me } from '../../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld } from '../../../support/worlds/sync-world.ts';

let world: SyncWorld;

const place = { conversationId: 'c1', messageId: 'm1' };
const react: OpAction = { kind: 'message.react', ...place, name: 'tada', present: true, confirmed: true };
const edit: OpAction = { kind: 'message.edit', ...place, base: 'mine', text: 'better' };

beforeEach(async () => {
  world = syncWorld();
  world.service.addConversation('c1');
  world.service.say('c1', 'mine', me);
  world.send('who I am');
  await world.clock.advance(10_000);
});

/** Runs the program for `ms` a few times, as commands with a timeout do. */
async function runs(count: number, ms: number): Promise<void> {
  for (let run = 0; run < count; run++) {
    await world.engine.stop();
    world.restart();
    await world.clock.advance(ms);
  }
}

test('a change that is always answered with 500 is given up', async () => {
  const { client } = world.service;
  const { updateMessage } = client;
  Object.assign(client, {
    updateMessage: async (...args: Parameters<typeof updateMessage>) => {
      if (args[1].reactions !== undefined) throw apiFault('server', 'ambiguous', { status: 500 });
      return updateMessage(...args);
    },
  });
  world.engine.enqueue(react);
  world.engine.enqueue(edit);
  await world.clock.advance(4_000);
  await runs(4, 4_000);
  expect(world.store.getState().local.outbox).toEqual([]);
  expect(world.service.messages.get('m1')?.text).toBe('better');
});

describe('an edit that is always answered with 409 fails', () => {
  const isFailed = () => expect(world.store.getState().local.outbox).toMatchObject([{ state: 'failed', action: edit }]);
  const puts = () => world.service.requests.filter((request) => request.startsWith('updateMessage')).length;

  beforeEach(() => {
    const error = apiFault('invalid', 'ambiguous', { status: 409 });
    world.service.fault = (operation) => (operation === 'updateMessage' ? { applies: false, error } : null);
    world.engine.enqueue(edit);
  });

  test('after six answers', async () => {
    await world.clock.advance(600_000);
    isFailed();
    expect(puts()).toBe(6);
  });

  test('after six answers to several programs', async () => {
    await world.clock.advance(4_000);
    await runs(6, 4_000);
    isFailed();
    expect(puts()).toBe(6);
  });

  test('and succeeds if a later attempt is accepted', async () => {
    await world.clock.advance(4_000);
    world.service.fault = () => null;
    await world.clock.advance(60_000);
    expect(world.store.getState().local.outbox).toEqual([]);
    expect(world.service.messages.get('m1')?.text).toBe('better');
  });
});

test('a reaction that is answered with nothing and ignored fails', async () => {
  const { client } = world.service;
  const { updateMessage, retrieveMessage } = client;
  Object.assign(client, {
    updateMessage: async (...args: Parameters<typeof updateMessage>) => {
      if (args[1].reactions === undefined) return updateMessage(...args);
      const { value, ...answer } = await retrieveMessage(args[0]);
      return { ...answer, value: { ...value, text: '', createdAt: null } };
    },
  });
  world.engine.enqueue(react);
  world.engine.enqueue(edit);
  await world.clock.advance(8_000);
  await runs(3, 8_000);
  expect(world.store.getState().local.outbox).toEqual([]);
  expect(world.service.messages.get('m1')).toMatchObject({ text: 'better', reactions: [] });
});
