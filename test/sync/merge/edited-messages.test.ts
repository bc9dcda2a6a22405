/** Edits that a poll brings: the earlier text is kept, and the message counts as edited whatever else it has. */
import { expect, test } from 'vitest';
import { selectThreadItems } from '../../../src/state/select/selectors.ts';
import { contact } from '../../support/servers/fake-service.ts';
import { syncWorld } from '../../support/worlds/sync-world.ts';

test('an edited message with reactions is marked, also after a restart', async () => {
  const world = syncWorld();
  world.service.addConversation('c1');
  const said = world.service.say('c1', 'at nine', contact('ann'));
  await world.clock.advance(10_000);
  world.open('c1');
  await world.clock.advance(3_000);
  const item = () => selectThreadItems(world.store.getState(), 'c1').find(({ id }) => id === said.id);
  expect(item()?.isEdited).toBe(false);
  const held = world.service.messages.get(said.id) ?? said;
  const reacted = { ...held, reactions: [{ name: 'heart', by: ['ann'] }], updatedAt: world.clock.now() };
  world.service.messages.set(said.id, reacted);
  await world.clock.advance(10_000);
  // Some servers touch the time on a reaction.
  expect(item()?.isEdited).toBe(false);
  world.service.messages.set(said.id, { ...reacted, text: 'at ten', updatedAt: world.clock.now() });
  await world.clock.advance(30_000);
  expect(item()).toMatchObject({ isEdited: true, message: { text: 'at ten' } });
  expect(world.cache.versions('c1', said.id).map(({ text }) => text)).toEqual(['at nine']);
  world.restart();
  world.open('c1');
  expect(item()?.isEdited).toBe(true);
});

test('a message from which a reaction was taken back is not marked, also after a restart', async () => {
  const world = syncWorld();
  world.service.addConversation('c1');
  const said = world.service.say('c1', 'at nine', contact('ann'));
  await world.clock.advance(10_000);
  world.open('c1');
  await world.clock.advance(3_000);
  const item = () => selectThreadItems(world.store.getState(), 'c1').find(({ id }) => id === said.id);
  const held = world.service.messages.get(said.id) ?? said;
  const set = async (change: Partial<typeof held>): Promise<void> => {
    world.service.messages.set(said.id, { ...held, ...change, updatedAt: world.clock.now() });
    await world.clock.advance(30_000);
  };
  await set({ reactions: [{ name: 'heart', by: ['ann'] }] });
  await set({ reactions: [] });
  expect(item()).toMatchObject({ isEdited: false, message: { text: 'at nine' } });
  world.restart();
  world.open('c1');
  expect(item()?.isEdited).toBe(false);
  await set({ text: 'at ten' });
  expect(item()?.isEdited).toBe(true);
});
