import { describe, expect, test } from 'vitest';
import { askedKeys, type KeyAsker, tryKeys } from '../../../src/cli/health/try-keys.ts';
import { keymapFor } from '../../../src/commands/table.ts';
import { readEnvironment } from '../../../src/config/environment.ts';
import { hiddenKeys, readLostKeys, writeLostKeys } from '../../../src/config/lost-keys.ts';
import { standardKeys } from '../../../src/state/model/key-settings.ts';
import type { InputEvent } from '../../../src/terminal/events.ts';
import { temporaryDirectory } from '../../storage/builders.ts';

describe('doctor --keys', () => {
  const { terminal } = readEnvironment({ TERM: 'xterm' });
  const key = (name: string): InputEvent => ({ type: 'key', key: name, text: '' });
  const run = async (answers: readonly (InputEvent | null)[], columns = 60) => {
    const directory = temporaryDirectory();
    let said = '';
    let isOpen = false;
    const rest = [...answers];
    const asker: KeyAsker = {
      isTty: true,
      columns,
      write: (text) => {
        said += text;
      },
      open: () => {
        isOpen = true;
      },
      close: () => {
        isOpen = false;
      },
      next: async () => rest.shift() ?? null,
    };
    const failure = await tryKeys({ terminal }, directory, asker).catch((error: unknown) => error);
    return { said, isOpen, failure, lost: readLostKeys(directory, terminal) };
  };
  const paste: InputEvent = { type: 'paste', text: 'x' };
  const focus: InputEvent = { type: 'focus', focused: false };

  test('saves the keys that arrive as others or not at all', async () => {
    const { said, lost, isOpen } = await run([
      key('enter'),
      ...askedKeys.slice(1, -1).map(key),
      key('space'),
      paste,
      focus,
    ]);
    expect([lost, isOpen]).toEqual([['shift+enter', 'ctrl+space'], false]);
    expect(said).toMatch(/Shift-Enter +arrives as Enter\n {2}Alt-Enter +arrives\n/);
    expect(said).toMatch(
      /^Press each key that is named\. Where nothing happens, press\nSpace, or wait 15 seconds\. Ctrl-C ends without a change\.\n\n/,
    );
    expect(said).toMatch(/The chat shows other keys than Shift-Enter, Ctrl-Space in\nthis terminal from now on\.\n$/);
  });

  test('has no line that a narrow terminal would break inside a word', async () => {
    const answers = [...askedKeys.map(key), paste];
    const wide = (await run(answers, 80)).said;
    expect(wide).toMatch(/\n {2}a focus change +\(go to another window and come back\) does not arrive\n/);
    const narrow = (await run(answers, 40)).said;
    expect(narrow).toMatch(/\n {2}\(go to another window and come back\)\n {2}a focus change +does not arrive\n/);
    expect(narrow.split('\n').filter(({ length }) => length > 40)).toEqual([]);
  });

  test('saves nothing after Ctrl-C, which ends the command with 130', async () => {
    const { failure, lost, isOpen } = await run([key('shift+enter'), key('ctrl+c')]);
    expect([lost, isOpen]).toEqual([null, false]);
    expect(failure).toMatchObject({ code: 130, message: 'ended by Ctrl-C; nothing was kept' });
  });

  test.each([
    ['xterm', { XTERM_VERSION: 'XTerm(390)' }, ['alt+enter']],
    ['macOS Terminal', { TERM_PROGRAM: 'Apple_Terminal' }, ['alt+enter']],
    ['Windows Terminal', { WT_SESSION: '1' }, ['alt+enter']],
    ['another terminal', {}, []],
  ])('Alt-Enter is not shown where the terminal is known to keep it: %s', (_, env, hidden) => {
    const directory = temporaryDirectory();
    const { terminal: other } = readEnvironment({ TERM: 'xterm-256color', ...env });
    expect(hiddenKeys(directory, other)).toEqual(hidden);
    writeLostKeys(directory, other, ['alt+a']);
    expect(hiddenKeys(directory, other)).toEqual(['alt+a']);
  });

  test('another key of the command is shown in place of a lost one', () => {
    const keymap = keymapFor(standardKeys, new Set(['alt+a', 'alt+enter']));
    expect([keymap.keysOf('unread.next'), keymap.keysOf('text.newline')]).toEqual([
      ['alt+shift+down'],
      ['ctrl+j', 'shift+enter'],
    ]);
    expect(keymap.find(['global'], 'alt+a')?.command.id).toBe('unread.next');
  });
});
