/** When messages count as read. */
import { beforeEach, expect, test } from 'vitest';
import { isAtEnd, markReadAtOnce, markReadToEnd } from '../../../src/state/local/read-lines.ts';
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
const line = ({ local }: AppState) => local.readLines.get('c1')?.messageId;

test('what arrives counts as read at once only at the end of the thread', () => {
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
