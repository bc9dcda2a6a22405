/** `z` takes back pin, mute, archive, read and the pinned message, the last one first; `Z` does them again. */
import { expect, test } from 'vitest';
import { applyConversation } from '../../src/state/cache/conversations.ts';
import { addOp } from '../../src/state/local/outbox.ts';
import { selectConversation, selectListOrder, selectUnread } from '../../src/state/select/selectors.ts';
import { selectMessage } from '../../src/state/view/thread-place.ts';
import * as eg from '../support/builders/eg.ts';
import { chat, world } from './world.ts';

test.each([['p'], ['m', 'm'], ['m', '8'], ['x']])('%s is undone', (...keys) => {
  const w = world(chat({ focus: 'list' }));
  const before = selectConversation(w.state(), 'with ann');
  const order = selectListOrder(w.state());
  w.press(...keys);
  expect(selectConversation(w.state(), 'with ann')).not.toEqual(before);
  w.press('z');
  expect(selectConversation(w.state(), 'with ann')).toEqual(before);
  expect(new Set(selectListOrder(w.state()))).toEqual(new Set(order));
  expect(w.state().view.list.selectedId).toBe('with ann');
  expect(w.notice()).toMatch(/^ann: no longer (pinned|muted|archived); Z does it again$/);
  w.press('z');
  expect(w.actions).toHaveLength(2);
  expect(w.notice()).toBe('Nothing to undo');
  w.press('j');
  expect(w.notice()).toBeUndefined();
});

test('bringing a conversation back from the archive is undone too, at the time it had', () => {
  const w = world(chat({ focus: 'list' }));
  w.press('x', 'f', 'f', 'f', 'f', 'x');
  const archived = w.actions[0];
  expect(w.actions[1]).toMatchObject({ kind: 'conversation.archive', at: null });
  w.press('z');
  expect(w.actions[2]).toEqual(archived);
});

test('z undoes marking as read or unread, and nothing is sent', () => {
  const w = world(chat({ focus: 'list' }));
  const before = selectUnread(w.state(), 'with ann');
  w.press('u');
  const after = selectUnread(w.state(), 'with ann');
  expect(after).not.toBe(before);
  w.press('z');
  expect(selectUnread(w.state(), 'with ann')).toBe(before);
  expect(w.actions).toEqual([]);
});

test('several changes are undone one after the other, and redone', () => {
  const w = world(chat({ focus: 'list' }));
  const pin = (value: boolean) => ({ kind: 'conversation.pin', conversationId: 'with ann', value });
  const mute = (value: boolean) => ({ kind: 'conversation.mute', conversationId: 'with ann', value });
  w.press('p', 'm', 'm', 'z', 'z');
  expect(w.actions.slice(2)).toEqual([mute(false), pin(false)]);
  w.press('Z', 'Z');
  expect(w.actions.slice(4)).toEqual([pin(true), mute(true)]);
  w.press('Z');
  expect(w.notice()).toBe('Nothing to redo');
  w.press('z');
  expect(w.actions.at(-1)).toEqual(mute(false));
});

test('the neighbour is selected again when archiving a conversation is redone', () => {
  const w = world(chat({ focus: 'list' }));
  w.press('x');
  const neighbour = w.state().view.list.selectedId;
  w.press('z');
  expect(w.state().view.list.selectedId).toBe('with ann');
  w.press('Z');
  expect([neighbour, w.state().view.list.selectedId]).toEqual(['crew', 'crew']);
});

test('a new change ends what could be redone', () => {
  const w = world(chat({ focus: 'list' }));
  w.press('p', 'z', 'x', 'Z');
  expect(w.notice()).toBe('Nothing to redo');
});

test.each([
  ['p', ['Pinned; z undoes it', 'No longer pinned; z undoes it']],
  ['u', ['Marked unread here; z undoes it', 'Marked read here; z undoes it']],
] as const)('after %s a notice says what it did and which key undoes it', (key, notices) => {
  const w = world(chat({ focus: 'list' }));
  for (const notice of notices) {
    w.press(key);
    expect(w.notice()).toBe(notice);
  }
});

test('undo of a pin pins the former message again', () => {
  const w = world(
    chat({ focus: 'messages', places: new Map([['with ann', { scroll: { at: 'bottom' }, selectedId: 'm2' }]]) }),
  );
  w.press('p');
  w.update(selectMessage('with ann', 'm1'));
  w.press('p');
  expect(w.notice()).toBe('Pinned in place of another message; z undoes it');
  w.press('z');
  expect(w.actions.at(-1)).toMatchObject({ kind: 'conversation.pinMessage', messageId: 'm2' });
});

test('undo leaves the message pinned that somebody else has pinned since', () => {
  const place = { scroll: { at: 'bottom' }, selectedId: 'm2' } as const;
  const w = world(chat({ focus: 'messages', places: new Map([['with ann', place]]) }));
  w.press('p');
  const pinned = w.state().cache.conversations.get('with ann');
  if (pinned === undefined) throw new Error('The conversation is not there.');
  w.update((state) => ({ ...state, local: { ...state.local, outbox: [] } }));
  w.update(applyConversation({ ...pinned, pinnedMessageId: 'm1' }));
  w.press('z');
  expect(w.actions).toHaveLength(1);
  expect(w.notice()).toBe('The pinned message has been changed since, and stays as it is');
  w.press('z');
  expect(w.notice()).toBe('Nothing to undo');
});

test('z takes back a message that has not left before an older change, and after a newer one', () => {
  const held = addOp(
    eg.op(
      { kind: 'message.send', conversationId: 'with ann', text: 'too soon' },
      { uuid: 'u1', created: eg.now, notBefore: eg.now + 9_000 },
    ),
  );
  const older = world(chat({ focus: 'list' }));
  older.press('p');
  older.update(held);
  older.press('z');
  expect(older.draft().text).toBe('too soon');
  const newer = world(chat({ focus: 'list' }));
  newer.update(held);
  newer.wait(1);
  newer.press('p', 'z');
  expect(newer.draft().text).toBe('');
  expect(newer.actions.at(-1)).toMatchObject({ kind: 'conversation.pin', value: false });
});

test('a change stays undoable when the disk refuses to undo it', () => {
  const w = world(chat({ focus: 'list' }));
  w.press('p');
  w.breakDisk();
  w.press('z');
  expect(w.state().view.undoable).toHaveLength(1);
});
