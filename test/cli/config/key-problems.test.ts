/** The keys of the user: what the table [keys] of config.toml may say, and what is wrong in it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { settingsOf } from '../../../src/cli/config/chat-settings.ts';
import { keyProblems } from '../../../src/cli/config/key-problems.ts';
import { runProgram } from '../../../src/cli/program.ts';
import { keymapFor } from '../../../src/commands/table.ts';
import { parseConfig } from '../../../src/config/file.ts';
import { standardKeys } from '../../../src/state/model/key-settings.ts';
import { temporaryDirectory } from '../../storage/builders.ts';

const keysIn = async (text: string) => settingsOf(await parseConfig('config.toml', text)).keys;

describe('the table [keys]', () => {
  test('takes ids with and without quotes, one key or a list, and macros', async () => {
    const keys = await keysIn(
      '[keys]\nprofile = "vim"\n[keys.bind]\n"app.quit" = "Ctrl-X q"\nlist.peek = ["space", "P"]\nlist.undo = []\n' +
        '[keys.macros.away]\nkeys = "g a"\nrun = ["conversation.pin"]\n',
    );
    expect(keys).toEqual({
      profile: 'vim',
      bind: { 'app.quit': ['Ctrl-X q'], 'list.peek': ['space', 'P'], 'list.undo': [] },
      macros: { away: { keys: ['g a'], run: ['conversation.pin'] } },
    });
    const keymap = keymapFor(keys);
    expect(keymap.find(['always'], 'ctrl+x q')?.command.id).toBe('app.quit');
    expect(keymap.find(['list', 'global'], 'g a')?.command.id).toBe('macro.away');
    expect(keyProblems(keys)).toEqual([]);
  });

  test.each([
    ['profile = "wim"', /profile must be "standard", "vim" or "emacs"/],
    ['bind = 3', /bind must be a table of keys by the id of their command/],
    ['macros = { a = { keys = ["g"] } }', /macros must be a table of macros/],
  ])('refuses %s', async (line, problem) => {
    await expect(keysIn(`[keys]\n${line}`)).rejects.toThrow(problem);
  });

  test('is checked as a JSON document with --json', async () => {
    const file = join(temporaryDirectory(), 'config.toml');
    vi.stubEnv('MSG_TUI_CONFIG', file);
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      write.mockRestore();
      process.exitCode = 0;
    });
    for (const text of ['', '[keys.bind]\n"app.quitt" = "f9"\n']) {
      writeFileSync(file, text);
      await runProgram(['keys', '--check', '--json']);
    }
    const [fine, wrong] = write.mock.calls.map(([text]) => JSON.parse(String(text)));
    expect(fine).toEqual({ schema: 1, problems: [] });
    expect(wrong).toEqual({ schema: 1, problems: [expect.stringContaining('no command "app.quitt"')] });
    expect(process.exitCode).toBe(1);
  });

  test.each(['ctl+q', '', ' ', 'a b c d e f', 'ctrl+shift+meta+q'])(
    'leaves a command its default keys if %j is not a key',
    (key) => {
      const find = (...keys: string[]) =>
        keymapFor({ ...standardKeys, bind: { 'app.quit': keys } }).find(['always'], 'ctrl+q')?.command.id;
      expect([find(key), find(key, 'f9'), find()]).toEqual(['app.quit', undefined, undefined]);
    },
  );

  test('keys of the user come before the default ones, and the conflict says which command runs', () => {
    const bind = { 'app.quit': ['ctrl+k'], 'conversation.pin': ['e'] };
    const settings = { ...standardKeys, bind, macros: { away: { keys: ['g a'], run: ['conversation.pin'] } } };
    const keymap = keymapFor(settings);
    const found = (key: string) => keymap.find(['list', 'global', 'always'], key)?.command.id;
    expect([found('ctrl+k'), found('e'), found('g a')]).toEqual(['app.quit', 'conversation.pin', 'macro.away']);
    expect(keyProblems(settings)).toContain(
      '[keys] Ctrl-K (global) is the key of app.quit and of goto.open; app.quit runs',
    );
    expect(keymap.keysOf('goto.open')).toEqual([]);
    expect(keymap.find(['picker', 'dialog', 'always'], 'ctrl+n')?.command.id).toBe('choice.next');
  });

  test('a key of the user for every pane is not hidden by a default key of one pane', () => {
    const keymap = keymapFor({ ...standardKeys, bind: { 'help.open': ['p'], 'goto.open': ['ctrl+d'] } });
    expect(keymap.find(['list', 'global', 'always'], 'p')?.command.id).toBe('help.open');
    expect(keymap.find(['composer', 'global', 'always'], 'ctrl+d')?.command.id).toBe('goto.open');
    expect([keymap.keysOf('conversation.pin'), keymap.keysOf('help.open')]).toEqual([[], ['p']]);
  });

  test('names keys that arrive as other ones, unless the command has those, too', () => {
    const bind = { 'help.open': ['ctrl+i'], 'text.deleteBack': ['ctrl+h', 'backspace'], 'text.undo': ['ctrl+/'] };
    const macros = { a: { keys: ['ctrl+x ctrl+m'], run: ['conversation.pin'] } };
    expect(keyProblems({ ...standardKeys, bind, macros })).toEqual([
      '[keys.bind] help.open: Ctrl-I arrives as Tab; bind that or another key',
      '[keys.bind] text.undo: Ctrl-/ arrives as Ctrl-_; bind that or another key',
      '[keys.macros.a]: Ctrl-M arrives as Enter; bind that or another key',
    ]);
  });

  test('names a similar command for the first wrong ids alone, as comparing thousands of them takes seconds', () => {
    const wrong = Array.from({ length: 200 }, (_, nth) => `conversation.mute${nth}`);
    const many = keyProblems({ ...standardKeys, bind: Object.fromEntries(wrong.map((id) => [id, ['f9']])) });
    expect(many).toHaveLength(200);
    expect(many.filter((line) => line.endsWith('did you mean conversation.mute?'))).toHaveLength(50);
    const macros = { a: { keys: ['f9'], run: wrong } };
    const hinted = keyProblems({ ...standardKeys, macros }).filter((line) => line.includes('did you mean'));
    expect(hinted).toHaveLength(50);
  });

  test('reports each wrong id, key and conflict in one line', () => {
    const bind = {
      'conversation.muet': ['M'],
      'app.quit': ['ctlr+x'],
      'text.undo': ['z'],
      'conversation.pin': ['ctrl+k'],
      'list.peek': ['x y'],
    };
    const macros = { a: { keys: ['hyper+x'], run: ['list.dance'] }, b: { keys: [], run: [] } };
    expect(keyProblems({ ...standardKeys, bind, macros })).toEqual([
      '[keys.bind] there is no command "conversation.muet"; did you mean conversation.mute?',
      '[keys.bind] app.quit: "ctlr+x" is not a key; write it as ctrl+k, alt+shift+down, f5, space or "g g"',
      '[keys.bind] text.undo: z is text where the command applies; take a key with Ctrl or Alt',
      '[keys.macros.a] there is no command "list.dance"; msg-tui keys lists them',
      '[keys.macros.a]: "hyper+x" is not a key; write it as ctrl+k, alt+shift+down, f5, space or "g g"',
      '[keys.macros.b] runs nothing; add run = ["conversation.pin"]',
      '[keys] x (conversation.archive) begins x y (list.peek) in the context list; list.peek runs',
      '[keys] Ctrl-K (list) is the key of conversation.pin and of goto.open; conversation.pin runs',
    ]);
  });
});
