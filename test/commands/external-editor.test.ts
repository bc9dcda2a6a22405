import { expect, test } from 'vitest';
import { applyConversation } from '../../src/state/cache/conversations.ts';
import { draftOf } from '../../src/state/composer/drafts.ts';
import { openInView } from '../../src/state/view/view.ts';
import { chat, world } from './world.ts';

test('Ctrl-O hands the draft over and takes it back as one undo step', () => {
  const w = world(chat());
  w.type('hi there');
  w.press('ctrl+o');
  expect(w.calls).toEqual(['editText "hi there"']);
  w.endEditor({ text: 'hello\nthere' });
  expect(w.draft().text).toBe('hello\nthere');
  w.press('ctrl+_');
  expect(w.draft().text).toBe('hi there');
});

test('the text goes to the conversation it was taken from', () => {
  const w = world(chat());
  w.press('ctrl+o');
  w.update(openInView('with bob'));
  w.endEditor({ text: 'for Ann' });
  expect(w.draft().text).toBe('');
  expect(draftOf(w.state(), 'with ann').text).toBe('for Ann');
});

test('the text is no draft to somebody else whom the server has put in the place of the one, and is not lost', () => {
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

test('an editor that fails leaves the text and says so', () => {
  const w = world(chat());
  w.type('hi');
  w.press('ctrl+o');
  w.endEditor({ problem: 'There is no editor "x"' });
  expect([w.draft().text, w.notice()]).toEqual(['hi', 'There is no editor "x"']);
});
