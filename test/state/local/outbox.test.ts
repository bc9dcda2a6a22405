import { expect, test } from 'vitest';
import { applyConversations, vanished } from '../../../src/state/cache/conversations.ts';
import { addOp, heldBackBy, isHeldBack } from '../../../src/state/local/outbox.ts';
import { markRead, markUnread } from '../../../src/state/local/read-lines.ts';
import type { Op } from '../../../src/state/model/app-state.ts';
import { initialState } from '../../../src/state/store.ts';
import { markOnline } from '../../../src/state/view/connection.ts';
import { addNotice, dropNotice } from '../../../src/state/view/notices.ts';
import * as eg from '../../support/builders/eg.ts';
import { fastest } from '../../support/clocks/fastest.ts';

const conversation = (id: string) => eg.conversation({ id, contactId: 'ann' });
const message = eg.message({ id: 'm1', conversationId: 'c1', contact: eg.contact({ id: 'ann' }), createdAt: 5 });
const mute = eg.op({ kind: 'conversation.mute', conversationId: 'c1', value: true }, { uuid: 'u1' });

test('conversations that a complete list lacks are removed, except those with unsettled writes', () => {
  const both = applyConversations([conversation('c1'), conversation('c2')])(addOp(mute)(initialState()));
  expect(vanished(both, new Set())).toEqual(['c2']);
  expect(applyConversations([conversation('c1')])(both)).toBe(both);
});

test('a conversation that was marked as read can be marked as unread', () => {
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

test('the state stays the same with an answer in the same minute; a notice goes with its conversation', () => {
  const online = markOnline(60_000)(initialState());
  expect(markOnline(119_999)(online)).toBe(online);
  expect(markOnline(120_000)(online).view.connection.asOf).toBe(120_000);
  const told = addNotice({ tone: 'error', about: 'x', text: 'no', at: 0, until: null })(online);
  expect(dropNotice('x')(told).screen.notices).toEqual([]);
  expect(dropNotice('y')(told)).toBe(told);
});

const send = (seq: number, patch: Partial<Op> = {}, conversationId = 'c1'): Op =>
  eg.op({ kind: 'message.send', conversationId, text: 'hello' }, { uuid: `u${seq}`, seq, ...patch });

test('a message waits for the first unsure one before it in its conversation', () => {
  const ops = [
    send(1),
    send(2, { state: 'unsure', skippedInOrder: true }),
    send(3, { state: 'unsure' }, 'c2'),
    send(4, { state: 'unsure' }),
    send(5),
    send(6, { state: 'unsure' }),
    send(7),
    send(8, {}, 'c2'),
    send(9, { state: 'failed' }),
    eg.op({ kind: 'conversation.mute', conversationId: 'c1', value: true }, { seq: 10 }),
  ];
  expect(ops.map((one) => heldBackBy(one, ops)?.seq ?? null)).toEqual([
    null,
    null,
    null,
    null,
    4,
    null,
    4,
    3,
    null,
    null,
  ]);
});

test('finding out which of thousands of messages wait takes a moment', () => {
  const queued = Array.from({ length: 10_000 }, (_, index) => send(index + 1));
  const count = () => {
    const ops = [...queued];
    return ops.filter((one) => isHeldBack(one, ops)).length;
  };
  expect(fastest(40, count)).toBeLessThan(40);
});
