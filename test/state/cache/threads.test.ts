import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/protocol/types.ts';
import { compareMessages, rankPage } from '../../../src/state/cache/thread-order.ts';
import {
  applyThreadPage,
  extendNewer,
  extendOlder,
  moveToNewest,
  openThread,
  removeMessages,
  setNewLine,
  windowLimit,
} from '../../../src/state/cache/threads.ts';
import { createAppStore, initialState } from '../../../src/state/store.ts';

const message = (id: string, createdAt: number | null, rank = 0): Message => ({
  id,
  conversationId: 'c',
  contact: null,
  text: id,
  isTruncated: false,
  reactions: [],
  attachments: [],
  readAt: null,
  createdAt,
  updatedAt: null,
  rank,
});
const run = (from: number, count: number) => Array.from({ length: count }, (_, i) => message(`m${from + i}`, from + i));
const reach = { older: 'server' as const, gaps: [] };
const opened = (messages: readonly Message[], hasMore = false) =>
  openThread('c', { messages, hasMore }, reach)(initialState());
const ids = (state: ReturnType<typeof opened>) => state.cache.threads.get('c')?.messages.map((one) => one.id);

describe('a page applied to a window', () => {
  test('twice changes nothing', () => {
    const page = { conversationId: 'c', messages: run(1, 5), side: 'newest' as const, connected: true, unread: 2 };
    const once = applyThreadPage(page)(opened([]));
    expect(applyThreadPage({ ...page, messages: run(1, 5) })(once)).toBe(once);
  });

  test('keeps the objects that did not change', () => {
    const before = opened(run(1, 3));
    const changed = { ...message('m2', 2), text: 'edited' };
    const after = applyThreadPage({ conversationId: 'c', messages: [changed], side: 'newest', connected: true })(
      before,
    );
    const held = before.cache.threads.get('c')?.messages;
    expect(after.cache.threads.get('c')?.messages.map((one, i) => one === held?.[i])).toEqual([true, false, true]);
  });

  test('leaves a gap before its first message if it does not join the window', () => {
    const after = applyThreadPage({ conversationId: 'c', messages: run(50, 3), side: 'newest', connected: false })(
      opened(run(1, 3)),
    );
    expect(after.cache.threads.get('c')?.gaps).toEqual(['m50']);
  });

  test('adds no new messages to a window that is not at the newest ones', () => {
    const cut = extendOlder('c', { messages: run(1, 500), hasMore: false }, 'end')(opened(run(501, 500)));
    expect(cut.cache.threads.get('c')?.newer).toBe('disk');
    const after = applyThreadPage({ conversationId: 'c', messages: run(2000, 2), side: 'newest', connected: true })(
      cut,
    );
    expect(after.cache.threads.get('c')).toBe(cut.cache.threads.get('c'));
    expect(after.cache.lastMessages.get('c')?.id).toBe('m2001');
    const back = extendNewer('c', { messages: run(601, 400), hasMore: false })(after);
    expect(back.cache.threads.get('c')).toMatchObject({ newer: 'end', older: 'disk' });
    expect(ids(back)?.length).toBe(windowLimit);
  });

  test('moves a window that is not at the newest messages to them, and keeps one that is there', () => {
    const cut = extendOlder('c', { messages: run(1, 500), hasMore: false }, 'end')(opened(run(501, 500)));
    const newest = { messages: run(801, 200), hasMore: true };
    const jumped = moveToNewest('c', newest, 'end')(cut);
    expect(jumped.cache.threads.get('c')).toMatchObject({ newer: 'end', older: 'disk' });
    expect(ids(jumped)).toEqual(run(801, 200).map(({ id }) => id));
    expect(moveToNewest('c', newest, 'end')(jumped)).toBe(jumped);
  });

  test('leaves the gap of a removed message before the next one', () => {
    const state = openThread(
      'c',
      { messages: run(1, 3), hasMore: false },
      { older: 'end', gaps: ['m2'] },
    )(initialState());
    expect(removeMessages('c', ['m2'], null)(state).cache.threads.get('c')?.gaps).toEqual(['m3']);
  });

  test('moves no gap for a removed message that is outside of the window', () => {
    const page = { messages: run(5, 3), hasMore: true };
    const state = openThread('c', page, { older: 'end', gaps: ['m2', 'm6'] })(initialState());
    expect(removeMessages('c', ['m2', 'm6'], null)(state).cache.threads.get('c')?.gaps).toEqual(['m7']);
  });

  test('moves the "new" line after a removed message to the message before it', () => {
    const page = { messages: run(1, 5), hasMore: false };
    const state = setNewLine('c', 'm3')(openThread('c', page, reach)(initialState()));
    const lineWithout = (...ids: string[]) =>
      removeMessages('c', ids, null)(state).cache.threads.get('c')?.newLineAfter;
    expect([lineWithout('m3'), lineWithout('m3', 'm2'), lineWithout('m4')]).toEqual(['m2', 'm1', 'm3']);
    expect(lineWithout('m1', 'm2', 'm3')).toBeNull();
  });
});

describe('the order of messages with the same time', () => {
  test('is that of the server, however the pages are cut', () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 12 });
    const times = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(times, cuts, fc.boolean(), (values, sizes, isOldestFirst) => {
        const all = [...values].sort((a, b) => a - b).map((at, i) => message(`x${String((i * 7) % 31)}-${i}`, at));
        let known: readonly Message[] = [];
        let at = 0;
        for (let i = 0; at < all.length; i++) {
          const size = sizes[i % sizes.length] ?? 1;
          const page = isOldestFirst
            ? all.slice(at, at + size)
            : all.slice(Math.max(0, all.length - at - size), all.length - at);
          known = [...known, ...rankPage(known, page, isOldestFirst ? 'after' : 'before')].sort(compareMessages);
          at += size;
        }
        expect(known.map((one) => one.id)).toEqual(all.map((one) => one.id));
      }),
    );
  });
});

test('a transition that changes nothing notifies no listener', () => {
  const store = createAppStore(initialState());
  let calls = 0;
  store.subscribe(() => calls++);
  store.setState((state) => state);
  expect(calls).toBe(0);
});
