/** The pinned message is shown on top, also where it is not in the window of the thread. */
import { expect, test } from 'vitest';
import { pinnedMessage } from '../../../../src/state/cache/pinned.ts';
import { syncWorld, type WorldOptions } from '../../../support/worlds/sync-world.ts';

/** A conversation whose pinned message is 200 messages back. */
async function pinnedFarBack(options: WorldOptions) {
  const world = syncWorld(options);
  world.service.addConversation('c1');
  const { id } = world.service.say('c1', 'the pinned one');
  for (let i = 0; i < 200; i++) world.service.say('c1', `later ${i}`);
  const held = world.service.conversations.get('c1');
  if (held !== undefined) world.service.conversations.set('c1', { ...held, pinnedMessageId: id });
  await world.clock.advance(1_000);
  world.open('c1');
  await world.clock.advance(2_000);
  return { world, id, shown: () => pinnedMessage(world.store.getState(), 'c1', id)?.text };
}

const retrievals = ({ service }: ReturnType<typeof syncWorld>) =>
  service.requests.filter((request) => request.startsWith('retrieveMessage')).length;

test('a pinned message far back is retrieved once, and shown', async () => {
  const { world, shown } = await pinnedFarBack({ revealReading: true });
  expect(world.texts()).not.toContain('the pinned one');
  expect(shown()).toBe('the pinned one');
  await world.clock.advance(60_000);
  expect(retrievals(world)).toBe(1);
});

test('one that the server does not have is asked for once', async () => {
  const { world } = await pinnedFarBack({ revealReading: true });
  const held = world.service.conversations.get('c1');
  if (held !== undefined) world.service.conversations.set('c1', { ...held, pinnedMessageId: 'gone' });
  await world.clock.advance(120_000);
  expect(retrievals(world)).toBe(2);
});

test('one that is cached is there at the opening, without a request', async () => {
  const { world, id, shown } = await pinnedFarBack({});
  expect(shown()).toBeUndefined();
  const message = world.service.messages.get(id);
  if (message !== undefined) world.cache.saveMessages('c1', [message]);
  world.restart();
  world.open('c1');
  expect(shown()).toBe('the pinned one');
  await world.clock.advance(60_000);
  expect(retrievals(world)).toBe(0);
});
