import { describe, expect, test } from 'vitest';
import { attach } from '../../src/state/composer/draft.ts';
import { updateDraft } from '../../src/state/composer/drafts.ts';
import { selectPlace } from '../../src/state/select/selectors.ts';
import { patchView } from '../../src/state/view/view.ts';
import * as eg from '../support/builders/eg.ts';
import { chat, world } from './world.ts';

describe('sending', () => {
  test('Enter puts the text into the outbox, empties the composer and goes to the newest message', () => {
    const { type, press, actions, draft, calls } = world(chat());
    type('j k?');
    press('alt+enter');
    type('2');
    press('enter');
    expect(actions).toEqual([{ kind: 'message.send', conversationId: 'with ann', text: 'j k?\n2' }]);
    expect(draft().text).toBe('');
    expect(calls).toEqual(['scroll "bottom"']);
  });

  test('a second Enter sends nothing, and neither do blanks', () => {
    const { type, press, actions, draft } = world(chat());
    type('hi');
    press('enter', 'enter');
    type('  ');
    press('enter');
    expect(actions.length).toBe(1);
    expect(draft().text).toBe('  ');
  });

  test('when the disk refuses the message, the composer stays as it was', () => {
    const { type, press, breakDisk, draft, actions, calls } = world(chat());
    type('hi');
    breakDisk();
    press('enter');
    expect([draft().text, actions, calls]).toEqual(['hi', [], []]);
  });

  test('a very long text is sent with a warning', () => {
    const { paste, press, actions, notice } = world(chat());
    paste('x'.repeat(4_001));
    press('enter');
    expect(actions.length).toBe(1);
    expect(notice()).toContain('4001 characters');
  });

  test('tabs that were pasted are sent as tabs', () => {
    const { paste, press, actions } = world(chat());
    paste('all:\n\tmake\tinstall');
    press('enter');
    expect(actions).toMatchObject([{ text: 'all:\n\tmake\tinstall' }]);
  });

  test('without a conversation Enter says why nothing happens', () => {
    const { press, actions, notice } = world(chat({ openId: null }));
    press('enter');
    expect([actions, notice()]).toEqual([[], 'Open a conversation first']);
  });
});

describe('saving an edit', () => {
  const editing = (stash?: string) => ({ messageId: 'm2', base: 'Hi Ann', ...(stash === undefined ? {} : { stash }) });
  const start = (text: string, stash?: string) =>
    world(chat({}, { drafts: new Map([['with ann', eg.draft(text, { editing: editing(stash) })]]) }));
  const edit = { kind: 'message.edit', conversationId: 'with ann', messageId: 'm2', base: 'Hi Ann' };

  test('sends the new text with the text it began from', () => {
    const { press, actions, draft } = start('Hi Ann!');
    press('enter');
    expect(actions).toEqual([{ ...edit, text: 'Hi Ann!' }]);
    expect(draft()).toMatchObject({ text: '', editing: null });
  });

  test('restores the text that was there before, whether the edit was saved or not', () => {
    const saved = start('Hi Ann!', 'unsent');
    saved.press('enter');
    expect(saved.actions).toEqual([{ ...edit, text: 'Hi Ann!' }]);
    expect(saved.draft()).toMatchObject({ text: 'unsent', editing: null });
    const same = start('Hi Ann', 'unsent');
    same.press('enter');
    expect([same.actions, same.draft().text]).toEqual([[], 'unsent']);
  });

  test('says that an empty text cannot be saved, until the next command runs', () => {
    const { press, actions, draft, notice } = start(' ', 'unsent');
    press('enter');
    expect([actions, draft().editing?.stash]).toEqual([[], 'unsent']);
    expect(notice()).toBe('A message cannot be changed into an empty one; Esc leaves it as it was');
    press('alt+2');
    expect(notice()).toBeUndefined();
  });

  test('keeps the edit when the disk refuses it', () => {
    const { press, breakDisk, draft } = start('Hi Ann!', 'unsent');
    breakDisk();
    press('enter');
    expect(draft()).toMatchObject({ text: 'Hi Ann!', editing: { stash: 'unsent' } });
  });
});

describe('typing', () => {
  test('keys that are commands in other panes are text here', () => {
    const { type, press, draft, state } = world(chat());
    type('j/?+:1 xG');
    expect(draft().text).toBe('j/?+:1 xG');
    expect(state().screen.focus).toBe('composer');
    press('ctrl+w', 'ctrl+_');
    expect(draft().text).toBe('j/?+:1 xG');
  });

  test.each(['ctrl+w', 'alt+backspace', 'ctrl+backspace'])('%s cuts a word to the left', (key) => {
    const { press, type, draft } = world(chat());
    type('one two');
    press(key);
    expect([draft().text, draft().kill]).toEqual(['one ', 'two']);
  });

  test('the readline keys work', () => {
    const { type, press, draft } = world(chat());
    type('one two three');
    press('alt+b', 'ctrl+w', 'ctrl+a', 'ctrl+y', 'ctrl+e', 'ctrl+h', 'ctrl+b', 'ctrl+d');
    expect(draft().text).toBe('two one thr');
    press('ctrl+a', 'alt+d', 'alt+k');
    expect(draft()).toMatchObject({ text: '', kill: 'two one thr' });
    press('ctrl+_', 'ctrl+Z');
    expect(draft().text).toBe('');
  });

  test('shift and arrows select, and typed text replaces the selection', () => {
    const { type, press, draft } = world(chat());
    type('abc');
    press('shift+left', 'shift+left');
    type('x');
    expect(draft().text).toBe('ax');
  });

  test('Home uses the width of the composer', () => {
    const { type, press, draft } = world(chat());
    type('a word and another word');
    press('home');
    expect(draft().cursor).toBeGreaterThan(0);
    press('home');
    expect(draft().cursor).toBe(0);
  });
});

describe('the up key', () => {
  test('selects the newest message in an empty composer', () => {
    const { press, state, calls } = world(chat());
    press('up');
    expect(state().screen.focus).toBe('messages');
    expect(selectPlace(state(), 'with ann').selectedId).toBe('m3');
    expect(calls).toEqual(['reveal "m3"']);
  });

  test('stays in the composer while it has a text, or an edit whose text was deleted', () => {
    const { type, press, state } = world(chat());
    type('a');
    press('up', 'up');
    expect(state().screen.focus).toBe('composer');
    const emptied = eg.draft('', { editing: { messageId: 'm2', base: 'Hi Ann' } });
    const edit = world(chat({}, { drafts: new Map([['with ann', emptied]]) }));
    edit.press('up');
    expect(edit.state().screen.focus).toBe('composer');
  });
});

describe('a paste', () => {
  test('never sends and never runs a command; in other panes it goes to the composer', () => {
    for (const focus of ['list', 'messages', 'composer'] as const) {
      const { paste, draft, actions, state } = world(chat({ focus }));
      paste('dd\nx\n');
      expect([draft().text, actions, state().screen.focus]).toEqual(['dd\nx\n', [], 'composer']);
    }
  });

  test('goes into the filter that has the keyboard focus', () => {
    const filter = world(chat({ focus: 'list' }));
    filter.press('/');
    filter.paste('an\nn');
    expect(filter.state().view.list.filter).toBe('an n');
    expect(filter.draft().text).toBe('');
  });

  test('goes into the text field of an open overlay', () => {
    const { paste, draft } = world(chat({ overlays: [{ kind: 'notices', scroll: 0 }] }));
    paste('y');
    expect(draft().text).toBe('');
  });

  test('is refused with a reason without a conversation', () => {
    const { paste, notice } = world(chat({ openId: null, focus: 'list' }));
    paste('x');
    expect(notice()).toContain('nothing was pasted');
  });
});

describe('Ctrl-C', () => {
  test('clears the text first, and undo restores it', () => {
    const { type, press, draft, calls } = world(chat());
    type('hi');
    press('ctrl+c');
    expect([draft().text, calls]).toEqual(['', []]);
    press('ctrl+_');
    expect(draft().text).toBe('hi');
  });

  test('Ctrl-Y puts back the text and the attachments that it cleared, once', () => {
    const { type, press, draft, update } = world(chat());
    const file = { file_url: 'https://x.example/a.png' };
    type('hi');
    update(updateDraft('with ann', (now) => attach(now, [file])));
    press('ctrl+c');
    expect([draft().text, draft().attachments]).toEqual(['', undefined]);
    type('so: ');
    press('ctrl+y');
    expect(draft()).toMatchObject({ text: 'so: hi', attachments: [file] });
    press('ctrl+y');
    expect(draft()).toMatchObject({ text: 'so: hihi', attachments: [file] });
  });

  test('Ctrl-Y puts back the text that Ctrl-C cleared, not a search that was closed before', () => {
    const { type, press, draft, update } = world(chat());
    update((state) => patchView(state, { closedQuery: 'an old search' }));
    type('hi');
    press('ctrl+c', 'ctrl+y');
    expect(draft().text).toBe('hi');
  });

  test('twice within a second quits, and the text stays a draft', () => {
    const { type, press, wait, draft, calls, notice } = world(chat());
    type('hi');
    press('ctrl+c');
    expect(notice()).toBe('Press Ctrl-C again to quit');
    wait(999);
    press('ctrl+c');
    expect([draft().text, calls]).toEqual(['hi', ['quit']]);
  });

  test('can be bound to another key, which the notice names', () => {
    const { press, calls, notice, update } = world(chat());
    const bind = { 'app.clear': ['ctrl+x ctrl+g', 'ctrl+g'] };
    update((state) => ({ ...state, settings: { ...state.settings, keys: { ...state.settings.keys, bind } } }));
    press('ctrl+x', 'ctrl+g');
    expect(notice()).toBe('Press Ctrl-X Ctrl-G again to quit');
    press('left', 'ctrl+g');
    expect(calls).toEqual([]);
    press('ctrl+x', 'ctrl+g');
    expect(calls).toEqual(['quit']);
  });

  test('asks before text is lost: Ctrl-C closes the question, a second Ctrl-Q answers yes', () => {
    const { type, press, wait, draft, calls, state } = world(chat({ isVolatile: true }));
    type('hi');
    press('ctrl+c', 'ctrl+c');
    expect(state().screen.overlays).toMatchObject([{ kind: 'confirm', id: 'app.quit' }]);
    expect([draft().text, calls]).toEqual(['hi', []]);
    press('ctrl+c');
    expect(state().screen.overlays).toEqual([]);
    wait(2_000);
    press('ctrl+q', 'ctrl+q');
    expect(calls).toEqual([]);
    wait(400);
    press('ctrl+q');
    expect(calls).toEqual(['quit']);
  });

  test('counts anew after another key', () => {
    const { press, calls } = world(chat());
    press('ctrl+c', 'left', 'ctrl+c');
    expect(calls).toEqual([]);
    press('ctrl+c');
    expect(calls).toEqual(['quit']);
  });

  test('counts anew after a paste, which stays', () => {
    const { type, paste, press, draft, calls } = world(chat());
    type('hi');
    press('ctrl+c');
    paste('pasted');
    press('ctrl+c');
    expect(calls).toEqual([]);
    press('ctrl+c');
    expect([draft().text, calls]).toEqual(['pasted', ['quit']]);
  });

  test('Escape and Ctrl-Q that arrive as one key both take effect', () => {
    const { escaped, calls, state } = world(chat({ overlays: [{ kind: 'notices', scroll: 0 }] }));
    escaped('ctrl+alt+q', 'ctrl+q');
    expect(state().screen.overlays).toEqual([]);
    expect(calls).toEqual(['quit']);
  });

  test('Alt with an unbound character does nothing while typing; elsewhere it is Escape and the character', () => {
    const typing = world(chat());
    typing.type('hi');
    typing.escaped('alt+x', 'x');
    expect(typing.draft().text).toBe('hi');
    const reading = world(chat({ focus: 'messages' }));
    reading.escaped('alt+x', 'x');
    expect([reading.state().screen.focus, reading.draft().text]).toEqual(['composer', 'x']);
  });

  test('does not ask if nothing can be lost', () => {
    const { press, calls } = world(chat({ isVolatile: true }));
    press('ctrl+q');
    expect(calls).toEqual(['quit']);
  });

  test('counts anew a second later', () => {
    const { press, wait, calls } = world(chat());
    press('ctrl+c');
    wait(1_000);
    press('ctrl+c');
    expect(calls).toEqual([]);
    press('ctrl+c');
    expect(calls).toEqual(['quit']);
  });

  test('closes an overlay, and cancels an edit', () => {
    const overlay = world(chat({ overlays: [{ kind: 'notices', scroll: 0 }] }));
    overlay.press('ctrl+c');
    expect(overlay.state().screen.overlays).toEqual([]);
    const draft = eg.draft('Hi Ann!', { editing: { messageId: 'm2', base: 'Hi Ann', stash: 'unsent' } });
    const edit = world(chat({}, { drafts: new Map([['with ann', draft]]) }));
    edit.press('ctrl+c');
    expect(edit.draft()).toMatchObject({ text: 'unsent', editing: null, kill: 'Hi Ann!' });
    const unchanged = { ...draft, text: 'Hi Ann', kill: 'before' };
    const left = world(chat({}, { drafts: new Map([['with ann', unchanged]]) }));
    left.press('escape');
    expect(left.draft()).toMatchObject({ text: 'unsent', editing: null, kill: 'before' });
  });
});
