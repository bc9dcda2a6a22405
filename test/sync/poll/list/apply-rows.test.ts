/** What a key of the list acts on while news arrive and nothing is open or selected. */
import { expect, test } from 'vitest';
import { selectedConversationId } from '../../../../src/commands/selection.ts';
import { setFocus } from '../../../../src/state/view/view.ts';
import { syncWorld } from '../../../support/worlds/sync-world.ts';

test('the first row, once the server has given it, stays what keys act on when another conversation comes above it', async () => {
  const { clock, service, store } = syncWorld();
  store.setState(setFocus('list'));
  service.addConversation('c1');
  await clock.advance(60_000);
  service.addConversation('c2');
  service.say('c2', 'news');
  await clock.advance(60_000);
  expect([...store.getState().cache.conversations.keys()]).toContain('c2');
  expect(selectedConversationId(store.getState())).toBe('c1');
});

test('what was kept of the list gives way to the first row that the server gives', async () => {
  const world = syncWorld();
  world.service.addConversation('c1');
  await world.clock.advance(60_000);
  world.service.addConversation('c2');
  world.service.say('c2', 'news');
  world.restart();
  await world.clock.advance(60_000);
  expect(selectedConversationId(world.store.getState())).toBe('c2');
});
