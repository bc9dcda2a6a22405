/** A message with more reactions or attachments than are kept is not changed where that may delete those that are not known. */
import { expect, test } from 'vitest';
import type { OpAction } from '../../../../src/state/model/app-state.ts';
import { me } from '../../../support/servers/fake-service.ts';
import { replaceOnPut } from '../../../support/servers/replacing-put.ts';
import { type SyncWorld, syncWorld } from '../../../support/worlds/sync-world.ts';

/** `m2` is an own message of which a part is kept. */
async function stage(): Promise<SyncWorld & { act(action: OpAction): Promise<void>; changes(): number }> {
  const world = syncWorld();
  const { service, engine, clock } = world;
  service.addConversation('c1');
  service.say('c1', 'whole', me);
  service.messages.set('m2', { ...service.say('c1', 'words', me), reactions: [], isCut: true });
  world.send('who I am');
  await clock.advance(10_000);
  return Object.assign(world, {
    act: async (action: OpAction) => {
      engine.enqueue(action);
      await clock.advance(40_000);
    },
    changes: () => service.requests.filter((name) => name.startsWith('updateMessage')).length,
  });
}

const place = { conversationId: 'c1', messageId: 'm2' };
const edit: OpAction = { kind: 'message.edit', ...place, base: 'words', text: 'better words' };
const react: OpAction = { kind: 'message.react', ...place, name: '+1', present: true, confirmed: true };

test.each([
  ['a reaction', react],
  ['an edit', edit],
])('%s is refused, and it is said why', async (_, action) => {
  const world = await stage();
  replaceOnPut(world.service, 'dropped');
  await world.act(action);
  const { screen, local } = world.store.getState();
  const said = [...screen.notices.map(({ text }) => text), ...local.outbox.map(({ reason }) => reason)];
  expect(said).toEqual([expect.stringContaining('more reactions or attachments than are kept here')]);
  expect(world.changes()).toBe(0);
});

test('a server that is known to keep what is not sent takes the new text, and no reaction', async () => {
  const world = await stage();
  await world.act({ kind: 'message.edit', conversationId: 'c1', messageId: 'm1', base: 'whole', text: 'all' });
  await world.act({ kind: 'message.react', ...place, messageId: 'm1', name: '+1', present: true, confirmed: true });
  expect(world.store.getState().local.capabilities.putRule?.value).toBe('partial');
  const before = world.changes();
  await world.act(react);
  expect(world.changes()).toBe(before);
  await world.act(edit);
  expect(world.service.messages.get('m2')?.text).toBe('better words');
});
