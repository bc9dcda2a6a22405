/** Answers to edits, and reads, that come from a lagging copy: what is read later decides. */
import { expect, test } from 'vitest';
import type { OpAction } from '../../../../src/state/model/app-state.ts';
import { me } from '../../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld } from '../../../support/worlds/sync-world.ts';

const edit: OpAction = { kind: 'message.edit', conversationId: 'c1', messageId: 'm1', base: 'old', text: 'new' };

/** Whatever is read, and the answer to an edit itself, shows the text of `lagMs` ago; null: no edit is ever made. */
async function behind(lagMs: number | null): Promise<SyncWorld & { readonly puts: () => number }> {
  const world = syncWorld({ revealReading: true });
  const { service, clock } = world;
  service.addConversation('c1');
  service.say('c1', 'old', me);
  await clock.advance(1_000);
  world.open('c1');
  await clock.advance(5_000);
  let puts = 0;
  const { client } = service;
  Object.assign(client, {
    updateMessage: async (id: string, { message = '' }: { readonly message?: string }) => {
      puts += 1;
      const before = await client.retrieveMessage(id);
      const { value } = before;
      if (lagMs !== null) clock.after(lagMs, () => service.messages.set(id, { ...value, text: message }));
      return before;
    },
  });
  return Object.assign(world, { puts: () => puts });
}

const outbox = (world: SyncWorld) => world.store.getState().local.outbox;

test.each([1_000, 6_000])('an edit that is shown %i ms later succeeds with one request', async (lagMs) => {
  const world = await behind(lagMs);
  world.engine.enqueue(edit);
  await world.clock.advance(lagMs + 4_000);
  expect(outbox(world)).toEqual([]);
  expect(world.texts()).toEqual(['new']);
  expect(world.puts()).toBe(1);
  expect(world.store.getState().screen.notices).toEqual([]);
});

test('an edit that the server answers and does not make fails', async () => {
  const world = await behind(null);
  world.engine.enqueue(edit);
  await world.clock.advance(3_000);
  expect(outbox(world)).toMatchObject([{ state: 'sending' }]);
  await world.clock.advance(30_000);
  expect(outbox(world)).toMatchObject([{ state: 'failed', reason: expect.stringContaining('kept the old text') }]);
  await world.clock.advance(60_000);
  expect(outbox(world)).toHaveLength(1);
  expect(world.puts()).toBe(1);
});

test.each([false, true])('a failed edit is settled when history shows its text; after a restart: %s', async (isNew) => {
  const world = await behind(60_000);
  world.engine.enqueue(edit);
  await world.clock.advance(35_000);
  expect(outbox(world)).toMatchObject([{ state: 'failed' }]);
  if (isNew) {
    await world.clock.advance(1_000);
    world.restart();
    world.open('c1');
  }
  await world.clock.advance(60_000);
  expect(world.texts()).toEqual(['new']);
  expect(outbox(world)).toEqual([]);
  expect(world.outbox.ops()).toEqual([]);
  expect(world.puts()).toBe(1);
});
