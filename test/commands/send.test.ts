/** Thinking better of it: the hold before a message leaves, Enter after a surprise, looking without reading. */
import { describe, expect, test } from 'vitest';
import { setText } from '../../src/state/composer/draft.ts';
import { startEditing, updateDraft } from '../../src/state/composer/drafts.ts';
import { addOp } from '../../src/state/local/outbox.ts';
import { markChangedByItself, setFocus } from '../../src/state/view/view.ts';
import * as eg from '../support/builders/eg.ts';
import { chat, world } from './world.ts';

const held = (ms: number) =>
  addOp(
    eg.op(
      { kind: 'message.send', conversationId: 'with ann', text: 'too soon' },
      { uuid: 'u1', created: eg.now, notBefore: eg.now + ms },
    ),
  );

describe('a message that has not left yet', () => {
  test('comes back into the composer with Esc', () => {
    const w = world(chat());
    w.update(held(5_000));
    w.press('escape');
    expect(w.calls).toContain('discard "u1"');
    expect(w.draft().text).toBe('too soon');
    expect(w.state().screen.focus).toBe('composer');
  });

  test('comes back with z in the list and among the messages, above the text that was written after it', () => {
    for (const focus of ['list', 'messages'] as const) {
      const w = world(chat({ focus }));
      w.update(held(5_000));
      w.press('z');
      expect(w.draft().text).toBe('too soon');
    }
    const w = world(chat());
    w.type('and another');
    w.update(held(5_000));
    w.press('escape');
    expect(w.draft().text).toBe('too soon\nand another');
  });

  test.each([
    ['escape', 5_000],
    ['z', 0],
  ])('comes back with %s above those that were sent after it and came back before', (key, ms) => {
    const w = world(chat({ focus: key === 'z' ? 'messages' : 'composer' }));
    for (const [uuid, text] of [
      ['u1', 'first'],
      ['u2', 'second'],
    ] as const) {
      const attachments = [{ name: `${text}.txt` }] as const;
      const action = { kind: 'message.send', conversationId: 'with ann', text, attachments } as const;
      w.update(addOp(eg.op(action as never, { uuid, created: eg.now, notBefore: eg.now + ms })));
    }
    w.press(key);
    expect(w.draft().text).toBe('second');
    w.update(setFocus(key === 'z' ? 'messages' : 'composer'));
    w.press(key);
    expect(w.draft().text).toBe('first\nsecond');
    expect(w.draft().attachments).toEqual([{ name: 'first.txt' }, { name: 'second.txt' }]);
  });

  test('comes back with z below the text in the composer where it is selected, as it may be older than others', () => {
    const selected = new Map([['with ann', { scroll: { at: 'bottom' }, selectedId: 'op:u1' } as const]]);
    const w = world(chat({ focus: 'messages', places: selected }));
    w.update(updateDraft('with ann', (draft) => setText(draft, 'written')));
    w.update(held(0));
    w.press('z');
    expect(w.draft().text).toBe('written\ntoo soon');
  });

  test('takes the second slash from the text that it comes above, and leaves a command alone where it has files only', () => {
    const w = world(chat());
    w.type('//second');
    w.update(held(5_000));
    w.press('escape');
    expect(w.draft().text).toBe('too soon\n/second');
    const other = world(chat({ focus: 'list' }));
    other.update(updateDraft('with ann', (draft) => setText(draft, '/mute 8h')));
    const files = { kind: 'message.send', conversationId: 'with ann', text: '', attachments: [{ name: 'a' }] } as const;
    other.update(addOp(eg.op(files, { uuid: 'u1', created: eg.now, notBefore: eg.now + 5_000 })));
    other.press('z');
    expect(other.draft()).toMatchObject({ text: '/mute 8h', attachments: [{ name: 'a' }] });
  });

  test('leaves Esc to an edit that was begun after it, and to the way back to that', () => {
    const w = world(chat());
    w.update(updateDraft('with ann', (draft) => startEditing(draft, 'm1', 'old')));
    w.update(held(5_000));
    w.update(setFocus('messages'));
    w.press('escape');
    expect(w.state().screen.focus).toBe('composer');
    w.press('escape');
    expect([w.draft().editing, w.draft().text]).toEqual([null, '']);
    w.press('escape');
    expect(w.draft().text).toBe('too soon');
  });

  test('can be taken back for as long as it waits, also after its time is over', () => {
    const w = world(chat({ focus: 'messages' }));
    w.update(held(5_000));
    w.wait(5_001);
    w.press('z');
    expect(w.calls).toContain('discard "u1"');
  });

  test('is not taken back by Esc if it was tried already', () => {
    const w = world(chat());
    const attempt = { started: eg.now, ended: eg.now, outcome: 'not-applied', evidence: '503' } as const;
    const action = { kind: 'message.send', conversationId: 'with ann', text: 'x' } as const;
    w.update(addOp(eg.op(action, { uuid: 'u1', created: eg.now, notBefore: eg.now + 5_000, attempts: [attempt] })));
    w.press('escape');
    expect(w.calls).not.toContain('discard "u1"');
  });
});

describe('Enter after the conversation changed by itself', () => {
  test('asks first, and sends when pressed again', () => {
    const w = world(chat());
    w.type('for bob only');
    w.update(markChangedByItself(eg.now));
    w.wait(399);
    w.press('enter');
    expect(w.actions).toEqual([]);
    expect(w.draft().text).toBe('for bob only');
    expect(w.notice()).toContain('Enter again sends this to ann');
    w.press('enter');
    expect(w.actions).toEqual([{ kind: 'message.send', conversationId: 'with ann', text: 'for bob only' }]);
  });

  test('sends at once after some time, or after a key that opened a conversation', () => {
    const late = world(chat());
    late.type('hi');
    late.update(markChangedByItself(eg.now));
    late.wait(401);
    late.press('enter');
    expect(late.actions).toHaveLength(1);
    const keyed = world(chat());
    keyed.update(markChangedByItself(eg.now));
    keyed.press('alt+2');
    keyed.type('hi');
    keyed.press('enter');
    expect(keyed.actions).toHaveLength(1);
  });
});

test('sending a message marks the conversation as read', () => {
  const w = world(chat());
  w.update((state) => ({ ...state, cache: { ...state.cache, unread: new Map([[state.view.openId ?? '', 1]]) } }));
  w.type('an answer');
  w.press('enter');
  expect(w.calls).toContain(`open "${w.state().view.openId}"`);
});

describe('a peek', () => {
  test('shows the conversation and keeps the keyboard focus in the list', () => {
    const w = world(chat({ focus: 'list', list: { ...chat().view.list, selectedId: 'crew' } }));
    w.press('space');
    expect(w.calls).toEqual(['peek "crew"']);
    expect(w.state()).toMatchObject({ view: { openId: 'crew', isPeeking: true }, screen: { focus: 'list' } });
    w.press('enter');
    expect(w.calls.at(-1)).toBe('open "crew"');
    expect(w.state()).toMatchObject({ view: { openId: 'crew', isPeeking: false }, screen: { focus: 'composer' } });
  });

  test('goes to the messages on a screen for one pane', () => {
    const view = { focus: 'list', list: { ...chat().view.list, selectedId: 'crew' } } as const;
    const w = world(chat({ ...view, size: { columns: 60, rows: 24 } }));
    w.press('space');
    expect(w.state().screen.focus).toBe('messages');
  });

  test('ends when the user answers', () => {
    const w = world(chat({ isPeeking: true }));
    w.type('hi');
    w.press('enter');
    expect(w.calls).toContain('open "with ann"');
    expect(w.state().view.isPeeking).toBe(false);
  });
});

test('discarded text can be put into the composer of another conversation', () => {
  const w = world(
    chat({ focus: 'messages', places: new Map([['with ann', { scroll: { at: 'bottom' }, selectedId: 'op:u1' }]]) }),
  );
  const action = { kind: 'message.send', conversationId: 'with ann', text: 'words of worth' } as const;
  w.update(addOp(eg.op(action, { uuid: 'u1', state: 'failed' })));
  w.press('D', 'alt+2', 'tab', 'tab');
  w.update((state) => ({ ...state, screen: { ...state.screen, focus: 'composer' } }));
  w.press('ctrl+y');
  expect(w.state().view.openId).toBe('crew');
  expect(w.draft().text).toBe('words of worth');
});

test('what was cut before a message was sent can be put back, also in another conversation', () => {
  const w = world(chat());
  w.type('for later');
  w.press('ctrl+u');
  w.type('this first');
  w.press('enter', 'ctrl+y');
  expect(w.actions).toMatchObject([{ text: 'this first' }]);
  expect(w.draft().text).toBe('for later');
  w.press('alt+2', 'ctrl+y');
  expect([w.state().view.openId, w.draft().text]).toEqual(['crew', 'for later']);
});

test('line breaks at the end of a text are not sent', () => {
  const w = world(chat());
  w.update(updateDraft('with ann', (draft) => setText(draft, 'first\n\nsecond  \n \n')));
  w.press('enter');
  w.update(updateDraft('with ann', (draft) => setText(draft, '  third  ')));
  w.press('enter');
  expect(w.actions).toMatchObject([{ text: 'first\n\nsecond' }, { text: '  third  ' }]);
});
