/** Commands whose subject has gone, or has changed, between the key that asks for something and the moment it is done. */
import { expect, test } from 'vitest';
import { applyConversation, removeConversation } from '../../src/state/cache/conversations.ts';
import { draftOf } from '../../src/state/composer/drafts.ts';
import { selectInList } from '../../src/state/view/list-place.ts';
import { selectMessage, toggleMark } from '../../src/state/view/thread-place.ts';
import { openInView, patchView } from '../../src/state/view/view.ts';
import { chat, world } from './world.ts';

test('undo of a change to a conversation that is gone writes nothing, and continues with the change before it', () => {
  const w = world(chat({ focus: 'list' }));
  w.press('p', 'j', 'p');
  w.update(removeConversation('crew'));
  w.press('z');
  expect(w.notice()).toBe('The conversation is gone; there is nothing to undo in it');
  expect(w.actions).toHaveLength(2);
  w.press('z');
  expect(w.actions[2]).toMatchObject({ kind: 'conversation.pin', conversationId: 'with ann' });
});

test('Ctrl-C twice brings back the text in the conversation where it was cleared, whichever is open by then', () => {
  const w = world(chat());
  w.type('for ann');
  w.press('ctrl+c');
  w.update(openInView('crew'));
  w.press('ctrl+c');
  expect(draftOf(w.state(), 'with ann').text).toBe('for ann');
  expect(w.calls).toContain('quit');
});

test('a menu acts on nothing but what it was opened for', () => {
  const w = world(chat({ focus: 'messages' }));
  w.update(selectMessage('with ann', 'm2'));
  w.press('enter');
  w.update(selectMessage('with ann', 'm3'));
  w.press('p');
  expect(w.actions).toEqual([]);
  expect(w.notice()).toBe('Something else is selected by now; nothing was done');
  expect(w.state().screen.overlays).toEqual([]);
});

test('a copy that waits for a second letter copies nothing once another message is selected', () => {
  const w = world(chat({ focus: 'messages' }));
  w.update(selectMessage('with ann', 'm2'));
  w.type('Y');
  w.update(selectMessage('with ann', 'm3'));
  w.wait(1_000);
  expect(w.calls.filter((call) => call.startsWith('copy'))).toEqual([]);
  expect(w.notice()).toBe('Something else is selected by now; nothing was done');
});

test('the previous conversation is not opened once it is gone', () => {
  const w = world(chat());
  w.update(openInView('crew'));
  w.update(removeConversation('with ann'));
  w.press('alt+/');
  expect(w.state().view.openId).toBe('crew');
  expect(w.notice()).toBe('The conversation that was open before is gone');
});

test('forwarding removes the marks in the conversation that was forwarded from', () => {
  const w = world(chat({ focus: 'messages' }));
  w.update(toggleMark('with ann', 'm1'));
  w.update(toggleMark('crew', 'other'));
  w.press('w');
  w.type('bob');
  w.update(openInView('crew'));
  w.press('enter');
  expect(w.actions).toHaveLength(1);
  const marked = (id: string) => w.state().view.places.get(id)?.marked ?? [];
  expect([marked('with ann'), marked('crew')]).toEqual([[], ['other']]);
});

test('a message that was fetched does not take the keyboard focus from a user who writes by then', async () => {
  const state = chat({ focus: 'messages' });
  const conversation = { ...state.cache.conversations.get('with ann')!, pinnedMessageId: 'old' };
  const conversations = new Map(state.cache.conversations).set('with ann', conversation);
  const w = world({ ...state, cache: { ...state.cache, conversations } });
  w.press('P', 'tab');
  w.type('meanwhile');
  w.fetching()?.end({ found: { id: 'm1', createdAt: 1, rank: 0 }, trouble: null });
  await Promise.resolve();
  await Promise.resolve();
  expect(w.calls.filter((call) => call.startsWith('show'))).toHaveLength(1);
  expect(w.state().screen.focus).toBe('composer');
  expect(w.draft().text).toBe('meanwhile');
});

test('deleting a conversation that the list does not show keeps the selection of the list', () => {
  const w = world(chat({ focus: 'list' }));
  w.update(selectInList('crew'));
  w.press('p');
  w.update(selectInList('with bob'));
  w.press('p', 'f', 'f');
  w.update((state) => patchView(state, { list: { ...state.view.list, selectedId: 'with bob' } }));
  w.press('tab', 'tab');
  w.type('/delete-conversation');
  w.press('escape', 'enter');
  w.wait(1_000);
  w.press('y');
  expect(w.actions.at(-1)).toMatchObject({ kind: 'conversation.delete', conversationId: 'with ann' });
  expect(w.state().view.list.selectedId).toBe('with bob');
});

test("the answer yes does not delete another person's conversation that has the id by now", () => {
  const w = world(chat({ focus: 'list' }));
  w.press('d');
  const held = w.state().cache.conversations.get('with ann');
  if (held !== undefined) w.update(applyConversation({ ...held, contactId: 'zed' }));
  w.wait(1_000);
  w.press('y');
  expect(w.actions).toEqual([]);
  expect(w.notice()).toBe('The conversation changed meanwhile; nothing was done');
});
