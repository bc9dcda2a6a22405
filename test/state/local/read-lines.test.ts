/** When messages count as read. */
import { beforeEach, expect, test } from 'vitest';
import { isAtEnd, markRead, markReadAtOnce, markReadToEnd, markUnread } from '../../../src/state/local/read-lines.ts';
import { countUnread } from '../../../src/state/local/unread.ts';
import type { AppState, ScrollPlace } from '../../../src/state/model/app-state.ts';
import { setScroll } from '../../../src/state/view/thread-place.ts';
import { openInView, peekInView } from '../../../src/state/view/view.ts';
import * as eg from '../../support/builders/eg.ts';

beforeEach(eg.restart);

const up: ScrollPlace = { at: 'message', messageId: 'm1', line: 0 };

function unread(newer: 'end' | 'disk' = 'end'): AppState {
  const messages = ['m1', 'm2', 'm3'].map((id) => eg.message({ id, conversationId: 'c1' }));
  return eg.state({
    conversations: [eg.conversation({ id: 'c1' })],
    cache: { threads: new Map([['c1', eg.thread(messages, { newer })]]), unread: new Map([['c1', 2]]) },
    local: { readLines: new Map([['c1', { messageId: 'm1', at: messages[0]?.createdAt ?? 0 }]]) },
  });
}

const count = ({ cache }: AppState): number | undefined => cache.unread.get('c1');
const lineOf = ({ local }: AppState) => local.readLines.get('c1');
const line = (state: AppState) => lineOf(state)?.messageId;

test('a message that arrives counts as read at once only at the end of the thread', () => {
  const open = openInView('c1')(unread());
  expect(line(markReadAtOnce('c1')(open))).toBe('m3');
  const scrolled = setScroll('c1', up)(open);
  expect(isAtEnd(scrolled, 'c1')).toBe(false);
  expect(markReadAtOnce('c1')(scrolled)).toBe(scrolled);
  const elsewhere = openInView('c1')(unread('disk'));
  expect(markReadAtOnce('c1')(elsewhere)).toBe(elsewhere);
});

test('a thread whose end is in sight counts as read, unless it is a peek or another one is open', () => {
  const open = setScroll('c1', up)(openInView('c1')(unread()));
  expect(count(markReadToEnd('c1')(open))).toBeUndefined();
  const peek = peekInView('c1')(unread());
  expect(markReadToEnd('c1')(peek)).toBe(peek);
  expect(markReadToEnd('c1')(unread())).toEqual(unread());
});

test('marking as unread begins with the newest message, also if the thread was scrolled far back', () => {
  const state = markRead('c1')(unread());
  expect([line(markUnread('c1')(state)), count(markUnread('c1')(state))]).toEqual(['m2', 1]);
  const back = unread('disk');
  const newest = eg.message({ id: 'm9', conversationId: 'c1', createdAt: eg.now });
  const scrolled = { ...back, cache: { ...back.cache, lastMessages: new Map([['c1', newest]]) } };
  const marked = markUnread('c1')(markRead('c1')(scrolled));
  expect(count(marked)).toBe(1);
  expect(countUnread([...(back.cache.threads.get('c1')?.messages ?? []), newest], lineOf(marked), marked)).toBe(1);
});
