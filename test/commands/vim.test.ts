/** Vim's modes in the composer, as keys of the program. */
import { describe, expect, test } from 'vitest';
import { createHintSelector } from '../../src/commands/footer.ts';
import { keymapFor } from '../../src/commands/table.ts';
import { standardKeys } from '../../src/state/model/key-settings.ts';
import { selectVim } from '../../src/state/select/selectors.ts';
import { takeSettings } from '../../src/state/view/overlays.ts';
import * as eg from '../support/builders/eg.ts';
import { chat, type World, world } from './world.ts';

const withVim = (shown = {}): World => {
  const state = chat(shown);
  const keys = { ...standardKeys, profile: 'vim' } as const;
  return world({ ...state, settings: { ...state.settings, keys } });
};

const modeOf = ({ state }: World): string | undefined => selectVim(state())?.mode;

describe('modes', () => {
  test('begin with insert mode, and Esc leads to normal mode, where characters are not text', () => {
    const program = withVim();
    program.type('one two');
    expect([program.draft().text, modeOf(program)]).toEqual(['one two', 'insert']);
    program.press('escape');
    program.type('0dw');
    expect([program.draft().text, modeOf(program)]).toEqual(['two', 'normal']);
    program.type('é~');
    program.press('ctrl+r');
    expect(program.draft().text).toBe('Two');
    program.type('u');
    program.press('ctrl+r');
    expect(program.draft().text).toBe('Two');
    expect(program.state().screen.overlays).toEqual([]);
  });

  test('decide about the colon: outside of insert mode it opens the palette, unless a command of vim waits for it', () => {
    const program = withVim();
    program.type('a:b');
    expect(program.draft().text).toBe('a:b');
    program.press('escape', '0', 'f', ':', 'x');
    expect([program.draft().text, program.state().screen.overlays]).toEqual(['ab', []]);
    program.type(':draw the screen');
    expect(program.state().screen.overlays).toMatchObject([{ kind: 'switcher', typed: '>draw the screen' }]);
    program.press('enter');
    expect([program.calls, modeOf(program), program.draft().text]).toEqual([['redraw'], 'normal', 'ab']);
    program.press('v', ':');
    expect(program.state().screen.overlays).toHaveLength(1);
  });

  test.each(['q', 'q!', 'wq', 'qa', 'wqa!'])(':%s quits, although q alone is the key of another command', (typed) => {
    const program = withVim();
    program.press('escape');
    program.type(`:${typed}`);
    program.press('enter');
    expect(program.calls).toEqual(['quit']);
  });

  test.each(['list', 'messages'] as const)(':q typed fast in the %s quits by one Enter', (focus) => {
    const program = withVim({ focus });
    program.type(':q');
    program.press('enter');
    expect(program.calls).toEqual(['quit']);
  });

  test('other words after : that were typed fast outside the composer wait for a second Enter', () => {
    const program = withVim({ focus: 'list' });
    program.type(':quit');
    program.press('enter');
    expect(program.calls).toEqual([]);
    program.press('enter');
    expect(program.calls).toEqual(['quit']);
  });

  test('do not exist with other keys, where Esc and letters do what they always do', () => {
    const program = world(chat());
    program.type('one');
    program.press('escape');
    program.type('x');
    expect(program.draft().text).toBe('onex');
    expect(selectVim(program.state())).toBeNull();
  });

  test('both send with Enter, and the next message begins in insert mode', () => {
    const program = withVim();
    program.type('one');
    program.press('enter');
    program.type('two');
    program.press('escape', 'enter');
    program.type('x');
    expect(program.actions.map((action) => ('text' in action ? action.text : ''))).toEqual(['one', 'two']);
    expect([program.draft().text, modeOf(program)]).toEqual(['x', 'insert']);
  });

  test('do not repeat, after Esc, the text of the next message as often as a count before this one said', () => {
    const program = withVim();
    program.press('escape');
    program.type('3ione');
    program.press('enter');
    program.type('two');
    program.press('escape');
    expect(program.actions).toMatchObject([{ text: 'one' }]);
    expect(program.draft().text).toBe('two');
  });

  test('end an incomplete command with Enter, which then sends nothing', () => {
    const program = withVim();
    program.type('one');
    program.press('escape', 'd', 'enter');
    expect([program.actions, program.draft().text]).toEqual([[], 'one']);
    program.press('enter');
    expect(program.actions.length).toBe(1);
  });

  test('end an incomplete command with a key that works in every mode, and carry the key out', () => {
    for (const [key, overlay] of [
      ['ctrl+k', 'switcher'],
      ['f1', 'help'],
    ] as const) {
      const program = withVim();
      program.type('one');
      program.press('escape', '2', 'd', key);
      expect(program.state().screen.overlays).toMatchObject([{ kind: overlay }]);
      expect(selectVim(program.state())).toMatchObject({ mode: 'normal', pending: { keys: '' } });
    }
    const program = withVim();
    program.type('one');
    program.press('escape', 'd', 'tab');
    expect([program.state().screen.focus, program.draft().text]).toEqual(['list', 'one']);
    const held = withVim();
    held.type('one');
    held.press('escape', 'f', 'backspace', 'd', 'ctrl+c');
    expect([held.draft().text, modeOf(held)]).toEqual(['one', 'normal']);
  });

  test('do not change what Esc does in normal mode', () => {
    const program = withVim();
    program.update((state) => ({ ...state, screen: { ...state.screen, size: { columns: 60, rows: 20 } } }));
    program.type('one');
    program.press('escape');
    expect(program.state().screen.focus).toBe('composer');
    program.press('escape');
    expect(program.state().screen.focus).toBe('list');
  });

  test('return to insert mode in another pane and in another conversation', () => {
    const program = withVim();
    program.type('one');
    program.press('escape', 'tab');
    expect(program.state().screen.focus).not.toBe('composer');
    program.press('escape');
    expect([program.state().screen.focus, modeOf(program)]).toEqual(['composer', 'insert']);
    program.press('escape');
    program.run('list.next');
    program.update((state) => ({ ...state, view: { ...state.view, openId: 'crew' } }));
    program.type('two');
    expect(program.draft().text).toBe('two');
  });
});

describe('another key profile', () => {
  const withProfile = (profile: 'vim' | 'emacs') => takeSettings({ keys: { ...standardKeys, profile } });

  test('ends an incomplete command and a selection, which do not come back with the profile vim', () => {
    for (const keys of ['2d', 'v', '"']) {
      const program = withVim();
      program.type('one');
      program.press('escape');
      program.type(keys);
      program.update(withProfile('emacs'));
      program.update(withProfile('vim'));
      expect(selectVim(program.state())).toMatchObject({ mode: 'insert', pending: { keys: '' } });
    }
  });

  test('leaves an incomplete command alone where other settings change', () => {
    const program = withVim();
    program.press('escape', 'd');
    program.update(takeSettings({ mouse: false }));
    expect(selectVim(program.state())).toMatchObject({ mode: 'normal', pending: { keys: 'd' } });
  });
});

describe('Esc', () => {
  test('and a key right after it, which arrive as Alt and the key, both take effect', () => {
    const program = withVim();
    program.type('one');
    program.escaped('alt+x', 'x');
    expect([program.draft().text, modeOf(program)]).toEqual(['on', 'normal']);
  });

  test('takes back a waiting message before it leaves', () => {
    const program = withVim();
    program.type('one');
    program.press('enter');
    const [op] = program.state().local.outbox;
    if (op === undefined) throw new Error('nothing waits');
    const held = { ...op, created: eg.now, notBefore: eg.now + 10_000 };
    program.update((state) => ({ ...state, local: { ...state.local, outbox: [held] } }));
    program.press('escape');
    expect([program.draft().text, modeOf(program)]).toEqual(['one', 'insert']);
  });
});

describe('text that is typed by mistake in normal mode', () => {
  test('stays in the draft, acts on nothing else, and is undone', () => {
    for (const sentence of ['hello Ann, do you come? x', 'Yes! Delete all of it; quit :q ZZ /later', 'xxdd RpP']) {
      const program = withVim();
      program.type('see you at nine');
      program.press('escape');
      program.type(sentence);
      program.press('escape', 'escape');
      const { screen, view } = program.state();
      expect([screen.overlays, screen.focus, view.openId]).toEqual([[], 'composer', 'with ann']);
      expect([program.actions, program.calls]).toEqual([[], []]);
      for (let i = 0; i < sentence.length && program.draft().text !== 'see you at nine'; i++) program.type('u');
      expect(program.draft().text).toBe('see you at nine');
    }
  });

  test('a paste is text in every mode', () => {
    const program = withVim();
    program.type('one');
    program.press('escape');
    program.paste('dd:q\n');
    expect(program.draft().text).toBe('ondd:q\ne');
  });
});

describe('other keys of the composer', () => {
  test('move the cursor in both modes, and extend the selection of a visual mode', () => {
    const program = withVim();
    program.type('one two');
    program.press('left', 'left', 'x');
    expect(program.draft().text).toBe('one txwo');
    program.press('escape', 'left', 'x');
    expect(program.draft().text).toBe('one xwo');
    program.press('v', 'right', 'd');
    expect(program.draft().text).toBe('one o');
  });

  test('lead from an empty composer to the messages', () => {
    const program = withVim();
    program.press('escape', 'k');
    expect(program.state().screen.focus).toBe('composer');
    program.press('up');
    expect(program.state().screen.focus).toBe('messages');
  });

  test('copy to the clipboard with "+y and insert from it with "+p', () => {
    const program = withVim();
    program.type('one');
    program.press('escape');
    program.type('"+yy');
    expect(program.calls).toEqual([`copy ${JSON.stringify('one\n')}`]);
    program.type('"+p');
    expect(program.draft().text).toBe('one\none');
  });

  test('insert deleted text with Ctrl-Y, and text that was cut in insert mode with p', () => {
    const program = withVim();
    program.type('one two');
    program.press('ctrl+w', 'escape');
    program.type('P');
    expect(program.draft().text).toBe('onetwo ');
    program.type('0x');
    program.press('ctrl+y');
    expect(program.draft().text).toBe('onetwo ');
  });

  test.each(['/', '?', 'd/'])(
    'the words of a search (%s) are no commands, and Enter after them sends nothing',
    (keys) => {
      const program = withVim();
      program.type('one');
      program.press('escape');
      program.type(`${keys}ddo`);
      program.press('backspace');
      program.type('o');
      program.press('enter');
      expect([program.draft().text, modeOf(program), program.actions]).toEqual(['one', 'normal', []]);
      program.type(`${keys}`);
      program.press('backspace');
      program.type('x');
      expect(program.draft().text).toBe('on');
    },
  );

  test('a click on the hint of Esc does what Esc does in the modes', () => {
    const program = withVim();
    program.type('one');
    program.click({ kind: 'command', id: 'layer.back' });
    program.type('x');
    expect([program.draft().text, modeOf(program)]).toEqual(['on', 'normal']);
  });

  test('change what the footer says of Enter and Esc', () => {
    const program = withVim();
    const hintsOf = createHintSelector(keymapFor(program.state().settings.keys));
    const hints = () =>
      hintsOf(program.state())
        .filter(({ label }) => label === 'Enter' || label === 'Esc')
        .map(({ label, title }) => `${label} ${title}`);
    program.type('one two');
    expect(hints()).toEqual(['Enter send', 'Esc normal mode']);
    program.press('escape');
    expect(hints()).toEqual(['Enter send']);
    program.type('2d');
    expect(hints()).toEqual(['Esc cancel']);
    program.press('escape');
    expect(hints()).toEqual(['Enter send']);
    program.type('v');
    expect(hints()).toEqual(['Enter send', 'Esc normal mode']);
  });

  test('complete words in insert mode; Esc closes the list before it leads to normal mode', () => {
    const program = withVim();
    program.type(':thu');
    expect(program.state().view.completion).not.toBeNull();
    program.press('escape');
    program.type('x');
    expect([program.draft().text, modeOf(program)]).toEqual([':th', 'normal']);
    expect(program.state().view.completion ?? null).toBeNull();
  });
});
