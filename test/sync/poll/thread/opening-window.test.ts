/** A conversation that is opened with more unread messages than its first page holds, from the disk or from the server. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { MessageId } from '../../../../src/protocol/types.ts';
import { setUnread } from '../../../../src/state/cache/conversations.ts';
import { setIdentity } from '../../../../src/state/local/identity.ts';
import { setReadLine } from '../../../../src/state/local/read-lines.ts';
import type { AppState, ReadLine, ScrollPlace } from '../../../../src/state/model/app-state.ts';
import { setScroll } from '../../../../src/state/view/thread-place.ts';
import type { Paging } from '../../../../src/sync/services/services.ts';
import * as eg from '../../../support/builders/eg.ts';
import { apiFault, me } from '../../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld } from '../../../support/worlds/sync-world.ts';

const ann = eg.contact({ id: 'ann', username: 'ann' });
const messages = Array.from({ length: 500 }, (_, i) =>
  eg.message({ id: `x${i}`, conversationId: 'c1', contact: ann, createdAt: (1_000 + i) * 1_000, rank: i }),
);

/** All messages are on the disk, and those after the line are unread. */
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
])('an opened window has the "new" line if reading ended by $by, and is not at its end', ({ line }) => {
  const world = stored(line, 399);
  world.open('c1');
  expect(threadOf(world)?.newLineAfter).toBe('x100');
  expect([holds(world, 'x50'), holds(world, 'x101'), threadOf(world)?.newer]).toEqual([true, true, 'disk']);
  expect(world.store.getState().cache.unread.get('c1')).toBe(399);
});

test('an opened window has the newest messages if the line is among them, and if the thread was left elsewhere', () => {
  const near = stored({ messageId: 'x400', at: 1_400_000 }, 99);
  near.open('c1');
  expect([threadOf(near)?.newer, threadOf(near)?.newLineAfter]).toEqual(['end', 'x400']);
  const elsewhere = stored({ messageId: 'x100', at: 1_100_000 }, 399);
  elsewhere.store.setState(setScroll('c1', { at: 'message', messageId: 'x450', line: 0 }));
  elsewhere.open('c1');
  expect([holds(elsewhere, 'x450'), holds(elsewhere, 'x100')]).toEqual([true, false]);
});

test('a window is moved to a position that it does not contain, when it is opened again', () => {
  const world = stored({ messageId: 'x499', at: 1_499_000 }, 0);
  world.open('c1');
  world.open('c2');
  world.store.setState(setScroll('c1', { at: 'message', messageId: 'x10', line: 0 }));
  world.open('c1');
  expect([holds(world, 'x10'), threadOf(world)?.newer]).toEqual([true, 'disk']);
});

describe('a thread with unread messages before the newest page of the server', () => {
  const asked = ({ service }: SyncWorld): number =>
    service.requests.filter((request) => request.startsWith('olderMessages')).length;
  const place = (world: SyncWorld) => world.store.getState().view.places.get('c1')?.scroll;
  const unread = (world: SyncWorld) => world.store.getState().cache.unread.get('c1');

  /** A screen of few rows, on which the thread begins with its first unread message. */
  function openingPlace(state: AppState): ScrollPlace {
    const thread = state.cache.threads.get('c1');
    const before = thread?.messages.findIndex(({ id }) => id === thread.newLineAfter) ?? -1;
    const first = thread?.messages[before + 1];
    return first === undefined || !state.cache.unread.has('c1')
      ? { at: 'bottom' }
      : { at: 'message', messageId: first.id, line: 0 };
  }

  /** `count` messages, one a second; those after the one with the number `opened` came since the conversation was opened. */
  function served(count: number, opened: number | null, own: number | null = null): SyncWorld {
    const world = syncWorld({ openingPlace: (state) => (isTall ? { at: 'bottom' } : openingPlace(state)) });
    const { service, clock } = world;
    const timeOf = (number: number): number => clock.now() - (count + 60 - number) * 1_000;
    service.addConversation('c1', { lastOpenedAt: opened === null ? null : timeOf(opened) });
    for (let number = 1; number <= count; number += 1) {
      const said = service.say('c1', `m${number}`, number === own ? me : undefined);
      service.messages.set(said.id, { ...said, createdAt: timeOf(number) });
    }
    return world;
  }
  /** Everything fits on the screen. */
  let isTall = false;
  beforeEach(() => {
    isTall = false;
  });
  const slowly = ({ service, clock }: SyncWorld): void => {
    service.hold = () => new Promise((resolve) => clock.after(500, resolve));
  };

  test('requests the pages before it, shows where unread begins, and counts all', async () => {
    const world = served(260, 30);
    world.open('c1');
    await world.clock.advance(2_000);
    expect([world.texts()[0], asked(world)]).toEqual(['m11', 4]);
    const first = threadOf(world)?.messages.find(({ text }) => text === 'm31');
    expect([place(world), unread(world)]).toEqual([{ at: 'message', messageId: first?.id, line: 0 }, 230]);
    expect(threadOf(world)?.newLineAfter).toBe(threadOf(world)?.messages.find(({ text }) => text === 'm30')?.id);
  });

  test('stops the requests when the user scrolls or leaves, and keeps the position', async () => {
    const world = served(260, 30);
    slowly(world);
    world.open('c1');
    await world.clock.advance(1_200);
    const before = asked(world);
    expect(before).toBeGreaterThan(0);
    const scroll = { at: 'message', messageId: threadOf(world)?.messages.at(-20)?.id ?? '', line: 0 } as const;
    world.store.setState(setScroll('c1', scroll));
    await world.clock.advance(5_000);
    expect(place(world)).toBe(scroll);
    expect(asked(world)).toBe(before);
  });

  test('requests ten pages at most', async () => {
    const world = served(1_000, 2);
    world.open('c1');
    await world.clock.advance(10_000);
    expect(asked(world)).toBe(10);
  });

  test('requests nothing if the server does not say what was read', async () => {
    const world = served(260, null);
    world.open('c1');
    await world.clock.advance(2_000);
    expect(asked(world)).toBe(0);
  });

  test('counts from a message of the user that an older page shows', async () => {
    const world = served(200, 2, 120);
    world.open('c1');
    await world.clock.advance(2_000);
    expect([asked(world), unread(world)]).toEqual([1, 80]);
    expect(threadOf(world)?.messages.find(({ id }) => id === threadOf(world)?.newLineAfter)?.text).toBe('m120');
  });

  test('is not marked as read before the beginning was searched, and then if the screen shows all of it', async () => {
    const world = served(120, 30);
    slowly(world);
    isTall = true;
    world.open('c1');
    await world.clock.advance(700);
    expect([world.texts()[0], unread(world)]).toEqual(['m71', 50]);
    await world.clock.advance(3_000);
    expect([world.texts()[0], unread(world)]).toEqual(['m21', undefined]);
  });

  test('stays unread if the pages before it cannot be read', async () => {
    const world = served(120, 30);
    isTall = true;
    const failure = { applies: false, error: apiFault('server', 'not-applied', { status: 500 }) } as const;
    world.service.fault = (operation) => (operation === 'olderMessages' ? failure : null);
    world.open('c1');
    await world.clock.advance(5_000);
    expect([world.texts()[0], unread(world)]).toEqual(['m71', 50]);
  });

  /** The conversation was read whole, and while the program was closed 170 messages came. */
  async function afterAbsence(): Promise<SyncWorld> {
    const world = served(30, 30);
    world.open('c1');
    await world.clock.advance(5_000);
    await world.engine.stop();
    await world.clock.advance(3_600_000);
    for (let number = 31; number <= 200; number += 1) {
      const said = world.service.say('c1', `m${number}`);
      const createdAt = world.clock.now() - (200 - number) * 1_000;
      world.service.messages.set(said.id, { ...said, createdAt });
    }
    world.restart();
    return world;
  }

  test.each([0, 60_000])(
    'opens at its first unread message after a long absence, %i ms after the start',
    async (ms) => {
      const world = await afterAbsence();
      await world.clock.advance(ms);
      world.open('c1');
      await world.clock.advance(2_000);
      const first = threadOf(world)?.messages.find(({ text }) => text === 'm31');
      expect([place(world), unread(world)]).toEqual([{ at: 'message', messageId: first?.id, line: 0 }, 170]);
      expect([world.texts().length, threadOf(world)?.gaps]).toEqual([200, []]);
    },
  );

  test('is marked as read if the server cannot give what is missing, and the screen shows the rest', async () => {
    const world = await afterAbsence();
    const fetchOlder: Paging['fetchOlder'] = async ({ capabilities }) => ({
      messages: [],
      reachedStart: false,
      unreachable: true,
      capabilities,
    });
    Object.assign(world.service.paging, { fetchOlder });
    isTall = true;
    world.open('c1');
    await world.clock.advance(5_000);
    expect([unread(world), world.texts()[0], world.texts().at(-1)]).toEqual([undefined, 'm1', 'm200']);
  });

  test('is counted once if a page that closes a gap reaches to unread messages on the disk', async () => {
    const world = await afterAbsence();
    await world.clock.advance(60_000);
    const line = [...world.service.messages.values()].find(({ text }) => text === 'm10');
    world.store.setState(setReadLine('c1', { messageId: line?.id ?? null, at: line?.createdAt ?? 0 }));
    world.store.setState(setUnread('c1', 70));
    const closed = world.engine.closeGaps('c1', { isWanted: () => true, since: null });
    await world.clock.advance(10_000);
    expect(await closed).toBeNull();
    expect(unread(world)).toBe(190);
  });

  test('is recounted if a page that closes a gap shows a message of the user, from another device', async () => {
    const world = served(60, 10);
    await world.clock.advance(60_000);
    expect(unread(world)).toBe(50);
    await world.engine.stop();
    for (let number = 61; number <= 200; number += 1)
      world.service.say('c1', `m${number}`, number === 120 ? me : undefined);
    world.restart();
    world.store.setState(setIdentity({ contactId: me.id, username: me.username }));
    await world.clock.advance(60_000);
    expect(unread(world)).toBe(100);
    const closed = world.engine.closeGaps('c1', { isWanted: () => true, since: null });
    await world.clock.advance(10_000);
    expect([await closed, unread(world)]).toEqual([null, 80]);
  });

  test('is not scrolled to its beginning if the user jumps to a message, or left the thread elsewhere', async () => {
    const world = await afterAbsence();
    await world.clock.advance(60_000);
    world.open('c1');
    const scroll = { at: 'message', messageId: threadOf(world)?.messages.at(-5)?.id ?? '', line: 0 } as const;
    world.store.setState(setScroll('c1', scroll));
    await world.clock.advance(2_000);
    expect([place(world), threadOf(world)?.gaps]).toEqual([scroll, []]);
  });
});
