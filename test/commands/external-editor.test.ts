import { expect, test } from 'vitest';
import { applyConversation } from '../../src/state/cache/conversations.ts';
import { draftOf } from '../../src/state/composer/drafts.ts';
import { openInView } from '../../src/state/view/view.ts';
import { chat, world } from './world.ts';

test('Ctrl-O passes the draft to the editor and takes it back as one undo step', () => {
  const w = world(chat());
  w.type('hi there');
  w.press('ctrl+o');
  expect(w.calls).toEqual(['editText "hi there"']);
  w.endEditor({ text: 'hello\nthere' });
  expect(w.draft().text).toBe('hello\nthere');
  w.press('ctrl+_');
  expect(w.draft().text).toBe('hi there');
});

test('the text goes to the conversation that it came from', () => {
  const w = world(chat());
  w.press('ctrl+o');
  w.update(openInView('with bob'));
  w.endEditor({ text: 'for Ann' });
  expect(w.draft().text).toBe('');
  expect(draftOf(w.state(), 'with ann').text).toBe('for Ann');
});

test('the text does not become a draft to another person whom the server has put in place of the first, and is not lost', () => {
  const w = world(chat());
  w.press('ctrl+o');
  const held = w.state().cache.conversations.get('with ann');
  if (held !== undefined) w.update(applyConversation({ ...held, contactId: 'zed' }));
  w.endEditor({ text: 'for Ann' });
  expect(w.draft().text).toBe('');
  expect(w.notice()).toContain('The conversation changed meanwhile');
  w.press('ctrl+y');
  expect(w.draft().text).toBe('for Ann');
});

test('an editor that fails leaves the text as it was, and a notice says so', () => {
  const w = world(chat());
  w.type('hi');
  w.press('ctrl+o');
  w.endEditor({ problem: 'There is no editor "x"', saved: null });
  expect([w.draft().text, w.notice()]).toEqual(['hi', 'There is no editor "x"']);
  w.press('ctrl+o');
  expect(w.notice()).toBeUndefined();
});

test('what an editor saved before it failed can be put back', () => {
  const w = world(chat());
  w.type('hi');
  w.press('ctrl+o');
  w.endEditor({ problem: 'The editor ended with SIGKILL.', saved: 'hi there' });
  expect([w.draft().text, w.notice()]).toEqual([
    'hi',
    'The editor ended with SIGKILL. Ctrl-Y puts in what the editor saved',
  ]);
  w.press('ctrl+y');
  expect(w.draft().text).toBe('hihi there');
});
