/** The window of a conversation that is opened with more unread messages than an opening reads from the disk. */
import { expect, test } from 'vitest';
import type { MessageId } from '../../../../src/protocol/types.ts';
import { setUnread } from '../../../../src/state/cache/conversations.ts';
import type { ReadLine } from '../../../../src/state/model/app-state.ts';
import { setScroll } from '../../../../src/state/view/thread-place.ts';
import * as eg from '../../../support/builders/eg.ts';
import { type SyncWorld, syncWorld } from '../../../support/worlds/sync-world.ts';

const ann = eg.contact({ id: 'ann', username: 'ann' });
const messages = Array.from({ length: 500 }, (_, i) =>
  eg.message({ id: `x${i}`, conversationId: 'c1', contact: ann, createdAt: (1_000 + i) * 1_000, rank: i }),
);

/** All messages are on the disk, and those behind the line are unread. */
function stored(line: ReadLine, unread: number): SyncWorld {
  const world = syncWorld();
  world.cache.saveConversations([eg.conversation({ id: 'c1' })]);
  world.cache.saveMessages('c1', messages);
  world.outbox.saveRecords([['readLines', 'c1', line]]);
  world.restart();
  world.store.setState(setUnread('c1', unread));
  return world;
}

const threadOf = (world: SyncWorld) => world.store.getState().cache.threads.get('c1');
const holds = (world: SyncWorld, id: MessageId): boolean =>
  threadOf(world)?.messages.some((message) => message.id === id) === true;

test.each([
  { by: 'message', line: { messageId: 'x100', at: 1_100_000 } },
  { by: 'time', line: { messageId: null, at: 1_100_500 } },
  { by: 'a message that is gone', line: { messageId: 'gone', at: 1_100_500 } },
])('holds the "new" line where reading ended by $by, and is not at its end', ({ line }) => {
  const world = stored(line, 399);
  world.open('c1');
  expect(threadOf(world)?.newLineAfter).toBe('x100');
  expect([holds(world, 'x50'), holds(world, 'x101'), threadOf(world)?.newer]).toEqual([true, true, 'disk']);
  expect(world.store.getState().cache.unread.get('c1')).toBe(399);
});

test('is that of the newest messages where the line is among them, and where the thread was left elsewhere', () => {
  const near = stored({ messageId: 'x400', at: 1_400_000 }, 99);
  near.open('c1');
  expect([threadOf(near)?.newer, threadOf(near)?.newLineAfter]).toEqual(['end', 'x400']);
  const elsewhere = stored({ messageId: 'x100', at: 1_100_000 }, 399);
  elsewhere.store.setState(setScroll('c1', { at: 'message', messageId: 'x450', line: 0 }));
  elsewhere.open('c1');
  expect([holds(elsewhere, 'x450'), holds(elsewhere, 'x100')]).toEqual([true, false]);
});

test('is moved to a place that it does not hold, when it is opened again', () => {
  const world = stored({ messageId: 'x499', at: 1_499_000 }, 0);
  world.open('c1');
  world.open('c2');
  world.store.setState(setScroll('c1', { at: 'message', messageId: 'x10', line: 0 }));
  world.open('c1');
  expect([holds(world, 'x10'), threadOf(world)?.newer]).toEqual([true, 'disk']);
});
