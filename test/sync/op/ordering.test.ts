/** Which ops of one conversation may start beside each other, and which wait. */
import { expect, test } from 'vitest';
import type { Op } from '../../../src/state/model/app-state.ts';
import { nextReady, queueKey } from '../../../src/sync/op/ordering.ts';
import { op } from '../../support/builders/eg.ts';

const conversationId = 'c';
const send = (): Op => op({ kind: 'message.send', conversationId, text: 'x' });
const edit = (messageId: string): Op => op({ kind: 'message.edit', conversationId, messageId, base: 'a', text: 'b' });
const react = (messageId: string): Op =>
  op({ kind: 'message.react', conversationId, messageId, name: 'ok', present: true, confirmed: false });
const pin = (): Op => op({ kind: 'conversation.pin', conversationId, value: true });
const mute = (): Op => op({ kind: 'conversation.mute', conversationId, value: true });
const remove = (): Op => op({ kind: 'conversation.delete', conversationId });

const ready = (ops: readonly Op[], underWay: readonly Op[] = []): readonly Op[] => {
  const busy = new Set(underWay.map(queueKey));
  const outbox = [...underWay.map((held): Op => ({ ...held, state: 'sending' })), ...ops];
  return nextReady(
    outbox,
    0,
    () => 0,
    (lane) => busy.has(lane),
  ).ready;
};

test('a new message, a change of a message and a setting are sent beside each other', () => {
  const message = send();
  expect(ready([message], [edit('m'), pin()])).toEqual([message]);
});

test('messages, changes of messages, and settings are each sent one after the other', () => {
  const [first, second] = [send(), send()];
  expect(ready([first, second])).toEqual([first]);
  expect(ready([react('n')], [edit('m')])).toEqual([]);
  expect(ready([mute()], [pin()])).toEqual([]);
});

test('a conversation is deleted after every earlier change in it', () => {
  const end = remove();
  expect(ready([end])).toEqual([end]);
  expect(ready([end], [send()])).toEqual([]);
  expect(ready([end], [edit('m')])).toEqual([]);
  expect(ready([end], [pin()])).toEqual([]);
  expect(ready([{ ...edit('m'), state: 'failed' }, end])).toEqual([end]);
});
