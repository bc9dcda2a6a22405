/** The pinned message is shown on top, also where it is not in the window of the thread. */
import { expect, test } from 'vitest';
import { setUnread } from '../../../../src/state/cache/conversations.ts';
import { pinnedMessage } from '../../../../src/state/cache/pinned.ts';
import type { AppState } from '../../../../src/state/model/app-state.ts';
import { syncWorld, type WorldOptions } from '../../../support/worlds/sync-world.ts';

/** A conversation whose pinned message is 200 messages back. */
async function pinnedFarBack(options: WorldOptions) {
  const world = syncWorld(options);
  world.service.addConversation('c1');
  const pinned = world.service.say('c1', 'the pinned one');
  const { id } = pinned;
  world.service.messages.set(id, { ...pinned, createdAt: 1 });
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

test('an old pinned message is retrieved once, and shown', async () => {
  const { world, shown } = await pinnedFarBack({ revealReading: true });
  expect(world.texts()).not.toContain('the pinned one');
  expect(shown()).toBe('the pinned one');
  await world.clock.advance(60_000);
  expect(retrievals(world)).toBe(1);
});

test('a pinned message that the server does not have is requested once', async () => {
  const { world } = await pinnedFarBack({ revealReading: true });
  const held = world.service.conversations.get('c1');
  if (held !== undefined) world.service.conversations.set('c1', { ...held, pinnedMessageId: 'gone' });
  await world.clock.advance(120_000);
  expect(retrievals(world)).toBe(2);
});

test('a pinned message is not requested while reading is not revealed: with unread messages, in a peek, and by the setting', async () => {
  const { world } = await pinnedFarBack({ revealReading: true });
  const pin = (pinnedMessageId: string): void => {
    const held = world.service.conversations.get('c1');
    if (held !== undefined) world.service.conversations.set('c1', { ...held, pinnedMessageId });
  };
  const patch = (fields: Partial<AppState['view']>) =>
    world.store.setState((state) => ({ ...state, view: { ...state.view, ...fields } }));
  pin('other');
  patch({ isPeeking: true });
  await world.clock.advance(120_000);
  expect(retrievals(world)).toBe(1);
  patch({ isPeeking: false });
  world.store.setState(setUnread('c1', 1));
  await world.clock.advance(120_000);
  expect(retrievals(world)).toBe(1);
  world.store.setState(setUnread('c1', 0));
  await world.clock.advance(120_000);
  expect(retrievals(world)).toBe(2);
  expect(retrievals((await pinnedFarBack({ revealReading: false })).world)).toBe(0);
});

/** As `pinnedFarBack`, in a later run, with the whole history on the disk. */
async function pinnedOnDisk() {
  const far = await pinnedFarBack({});
  const fetched = far.world.engine.fetchBack('c1', { kind: 'first' }, { isWanted: () => true, onPage: () => {} });
  await far.world.clock.advance(20_000);
  await fetched;
  far.world.restart();
  far.world.open('c1');
  return far;
}

test('a pinned message in the cache is shown at the opening, without a request', async () => {
  const { world, shown } = await pinnedOnDisk();
  expect(world.texts()).not.toContain('the pinned one');
  expect(shown()).toBe('the pinned one');
  await world.clock.advance(60_000);
  expect(retrievals(world)).toBe(0);
});

test('a pinned message that is edited is shown as it is now', async () => {
  const { world, id, shown } = await pinnedOnDisk();
  const edit = { kind: 'message.edit', conversationId: 'c1', messageId: id, base: 'the pinned one' } as const;
  world.engine.enqueue({ ...edit, text: 'the edited one' });
  await world.clock.advance(5_000);
  expect(world.texts()).not.toContain('the edited one');
  expect(shown()).toBe('the edited one');
});
