import { describe, expect, test } from 'vitest';
import { applyConversations } from '../../../src/state/cache/conversations.ts';
import { canResend, enqueue, opsOf, shownConversation, shownMessage } from '../../../src/state/local/outbox.ts';
import { markRead, markUnread } from '../../../src/state/local/read-lines.ts';
import type { Op, OpAction } from '../../../src/state/model/app-state.ts';
import { initialState } from '../../../src/state/store.ts';
import { markOnline } from '../../../src/state/view/connection.ts';
import { addNotice, dropNotice } from '../../../src/state/view/notices.ts';
import * as eg from '../../support/builders/eg.ts';

const conversation = (id: string) => eg.conversation({ id, contactId: 'ann' });
const message = eg.message({
  id: 'm1',
  conversationId: 'c1',
  contact: eg.contact({ id: 'ann' }),
  text: 'hello',
  createdAt: 5,
  reactions: [{ name: 'heart', by: ['ann'] }],
});
const op = (action: OpAction, patch: Partial<Op> = {}): Op =>
  eg.op(action, { uuid: 'u1', seq: 1, created: 0, ...patch });
const mute = op({ kind: 'conversation.mute', conversationId: 'c1', value: true });

describe('the overlay', () => {
  test('without ops gives the cached objects themselves', () => {
    const held = conversation('c1');
    expect(shownConversation(held, [])).toBe(held);
    expect(shownMessage(message, [])).toBe(message);
    const state = initialState();
    expect(opsOf(state, 'c1')).toBe(opsOf(state, 'c2'));
  });

  test('shows what is pending and stores nothing', () => {
    const react = op({
      kind: 'message.react',
      conversationId: 'c1',
      messageId: 'm1',
      name: 'heart',
      present: true,
      confirmed: true,
    });
    const edit = op({ kind: 'message.edit', conversationId: 'c1', messageId: 'm1', base: 'hello', text: 'bye' });
    const shown = shownMessage(message, [react, edit], ['me']);
    expect(shown.text).toBe('bye');
    expect(shown.reactions).toEqual([{ name: 'heart', by: ['ann', 'me'] }]);
    expect(message.text).toBe('hello');
    expect(shownConversation(conversation('c1'), [mute])?.isMuted).toBe(true);
  });

  test('of a failed op is marked but not in effect', () => {
    const gone = op({ kind: 'message.delete', conversationId: 'c1', messageId: 'm1' }, { state: 'failed' });
    expect(shownMessage(message, [gone]).marks).toMatchObject({ deletion: gone, isHidden: false });
    expect(shownMessage(message, [{ ...gone, state: 'queued' }]).marks?.isHidden).toBe(true);
  });
});

test('a complete list removes what it lacks, but nothing with unsettled writes', () => {
  const both = applyConversations([conversation('c1'), conversation('c2')], { complete: false })(
    enqueue(mute)(initialState()),
  );
  const after = applyConversations([], { complete: true })(both);
  expect([...after.cache.conversations.keys()]).toEqual(['c1']);
  expect(applyConversations([conversation('c1')], { complete: true })(after)).toBe(after);
});

test('a send may be repeated after two checks, the last one 30 s after the attempt', () => {
  const attempt = { started: 0, ended: 1_000, outcome: 'ambiguous' as const, evidence: 'timeout' };
  const unsure = {
    ...op({ kind: 'message.send', conversationId: 'c1', text: 'x' }),
    state: 'unsure' as const,
    attempts: [attempt],
  };
  expect(canResend({ ...unsure, scans: 2, lastScan: 31_000 }, 31_000)).toBe(true);
  expect(canResend({ ...unsure, scans: 1, lastScan: 31_000 }, 31_000)).toBe(false);
  expect(canResend({ ...unsure, scans: 5, lastScan: 30_999 }, 90_000)).toBe(false);
});

test('reading is reversible', () => {
  const state = initialState({
    cache: {
      conversations: new Map([['c1', conversation('c1')]]),
      lastMessages: new Map([['c1', message]]),
      unread: new Map([['c1', 3]]),
    },
  });
  const read = markRead('c1')(state);
  expect(read.cache.unread.has('c1')).toBe(false);
  expect(read.local.readLines.get('c1')).toEqual({ messageId: 'm1', at: 5 });
  expect(markUnread('c1')(read).cache.unread.get('c1')).toBe(1);
});

test('an answer in the same minute changes nothing; a notice goes with what it was about', () => {
  const online = markOnline(60_000)(initialState());
  expect(markOnline(119_999)(online)).toBe(online);
  expect(markOnline(120_000)(online).view.connection.asOf).toBe(120_000);
  const told = addNotice({ tone: 'error', about: 'x', text: 'no', at: 0, until: null })(online);
  expect(dropNotice('x')(told).screen.notices).toEqual([]);
  expect(dropNotice('y')(told)).toBe(told);
});
