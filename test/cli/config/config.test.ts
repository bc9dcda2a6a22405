/** The sub-commands of `msg-tui config` on a file of their own. */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Command } from 'commander';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { registerConfig } from '../../../src/cli/config/config-command.ts';
import { editConfig } from '../../../src/cli/config/edit-in-editor.ts';
import { check, edit, get, list, set, unset } from '../../../src/cli/config/run-config.ts';
import { settingsAsText } from '../../../src/cli/config/setting-values.ts';
import { temporaryDirectory } from '../../storage/builders.ts';

let file = '';
let printed = '';

beforeEach(() => {
  file = join(temporaryDirectory(), 'config.toml');
  vi.stubEnv('MSG_TUI_CONFIG', file);
  for (const name of ['MSG_TUI_THEME', 'MSG_TUI_PROFILE']) vi.stubEnv(name, undefined);
  printed = '';
  const keep = (text: string | Uint8Array): boolean => {
    printed += String(text);
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(keep);
  vi.spyOn(process.stderr, 'write').mockImplementation(keep);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.exitCode = 0;
});

const write = (text: string): void => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

test('a setting is written into a file that begins with a byte order mark before a table', async () => {
  write('\uFEFF[notify]\ntitle = true\n');
  await set('mouse', ['false']);
  expect(readFileSync(file, 'utf8')).toBe('mouse = false\n\n[notify]\ntitle = true\n');
});

test('set takes a word, a value of TOML or several words, and unset removes it', async () => {
  await set('theme', ['dark']);
  await set('undo_send_seconds', ['5']);
  await set('notify.command', ['notify-send', '{title}']);
  expect(readFileSync(file, 'utf8')).toBe(
    'theme = "dark"\nundo_send_seconds = 5\n\n[notify]\ncommand = ["notify-send", "{title}"]\n',
  );
  await unset('theme');
  expect(readFileSync(file, 'utf8')).toMatch(/^undo_send_seconds = 5\n/);
  await get('notify.command');
  expect(printed).toBe('["notify-send", "{title}"]\n');
});

test('unset removes a setting that is written as a table', async () => {
  write('mouse = false\n\n[keys.bind]\n"app.quit" = "f9"\n"goto.open" = []\n\n[notify]\ntitle = false\n');
  await unset('keys.bind');
  expect(readFileSync(file, 'utf8')).toBe('mouse = false\n\n[notify]\ntitle = false\n');
  write('[keys.bind]\napp.quit = "f9"\n\n[keys.macros.away]\nkeys = "f8"\nrun = ["conversation.pin"]\n');
  await unset('keys.macros');
  expect(readFileSync(file, 'utf8')).toBe('[keys.bind]\napp.quit = "f9"\n');
});

test('a wrong name or value is refused with exit code 2, and the file stays as it was', async () => {
  write('# mine\n');
  await expect(set('thme', ['dark'])).rejects.toMatchObject({ code: 2, message: /did you mean theme\?/ });
  await expect(set('undo_send_seconds', ['99'])).rejects.toMatchObject({ code: 2, message: /from 0 to 10/ });
  await expect(set('theme', ['purple'])).rejects.toMatchObject({ code: 2 });
  await expect(set('default_profile', ['nobody'])).rejects.toMatchObject({ code: 2, message: /no profile "nobody"/ });
  await expect(set('theme', ['"dark"\nmouse = false'])).rejects.toMatchObject({ code: 2 });
  expect(readFileSync(file, 'utf8')).toBe('# mine\n');
});

test('list shows value, source and default', async () => {
  write('\nmouse = false\n');
  vi.stubEnv('MSG_TUI_THEME', 'light');
  await list({});
  expect(printed).toMatch(/^mouse +false +config\.toml:2 +true$/m);
  expect(printed).toMatch(/^theme +"light" +MSG_TUI_THEME +-$/m);
  printed = '';
  await list({ json: true });
  const { settings } = JSON.parse(printed);
  expect(settings).toContainEqual({
    id: 'mouse',
    value: false,
    default: true,
    source: { from: 'file', line: 2 },
    needs_restart: false,
  });
});

test('on a terminal, list prints columns, which fit if the names of the settings leave room', () => {
  const value = 'x'.repeat(100);
  const row = { id: 'notify.command', value, default: null, source: { from: 'default' }, isLive: true } as const;
  const lines = settingsAsText([row], 50).split('\n');
  expect(lines[0]).toMatch(/^SETTING +VALUE +SOURCE +DEFAULT$/);
  expect(lines[1]).toMatch(/^notify\.command {2}"x+… {2}default {2}-$/);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(50);
});

test('check reports every problem and ends with 1', async () => {
  write('thme = "dark"\nmouse = 3\n');
  await check();
  expect(printed).toContain('config.toml:1: unknown key "thme"; did you mean theme?');
  expect(printed).toContain('config.toml:2: mouse must be true or false');
  expect(process.exitCode).toBe(1);
});

test('the annotated example is valid, with and without its comment marks', async () => {
  await list({ example: true });
  write(printed.replaceAll(/^# (\[|[a-z_]+ = )/gm, '$1'));
  printed = '';
  await check();
  expect(printed).toMatch(/nothing is wrong/);
});

test('set writes the server of a profile, also of a new one, and refuses an invalid address', async () => {
  write('# mine\n[profiles.work]\nserver = "https://old.example" # keep\n');
  await set('profiles.work.server', ['https://new.example/']);
  await set('profiles.home.server', ['chat.home.example']);
  expect(readFileSync(file, 'utf8')).toBe(
    '# mine\n[profiles.work]\nserver = "https://new.example" # keep\n\n[profiles.home]\nserver = "https://chat.home.example"\n',
  );
  await expect(set('profiles.work.server', ['ftp://new.example'])).rejects.toMatchObject({ code: 2 });
  await expect(set('profiles.a b.server', ['https://new.example'])).rejects.toMatchObject({ code: 2 });
});

test('after -- the words of set are taken as they were typed', async () => {
  const program = new Command();
  registerConfig(program);
  await program.parseAsync(['config', 'set', 'notify.command', 'notify-send', '--', '{title}'], { from: 'user' });
  expect(readFileSync(file, 'utf8')).toContain('command = ["notify-send", "--", "{title}"]');
});

test('check reports what is wrong in MSG_TUI_THEME, in the words of the start', async () => {
  vi.stubEnv('MSG_TUI_THEME', 'purple');
  await check();
  expect(printed).toContain('MSG_TUI_THEME: there is no theme "purple"');
  expect(process.exitCode).toBe(1);
});

test('set refuses invalid keys, tables and themes, and only what the new value makes invalid', async () => {
  write('[keys]\nbind = { "app.dance" = "f9" }\n');
  const before = readFileSync(file, 'utf8');
  const refused = [
    ['keys.bind', '{ "app.quitt" = "ctrl+w" }', /no command "app.quitt"; did you mean app.quit\?/],
    ['keys.bind', '{ "app.quit" = "ctl+w" }', /"ctl\+w" is not a key/],
    ['keys.bind', '{ "app.quit" = "ctrl+k" }', /Ctrl-K .* is the key of app.quit and of goto.open/],
    ['keys.bind', 'x', /keys\.bind must be a table of keys/],
    ['keys.bind', '["x"]', /keys\.bind must be a table of keys/],
    ['keys.macros', 'x', /keys\.macros must be a table of macros/],
    ['keys.macros', '{ a = { keys = "f9", run = "app.quitt" } }', /no command "app.quitt"/],
    ['theme', 'missing.toml', /no such file/],
  ] as const;
  for (const [name, value, message] of refused)
    await expect(set(name, [value])).rejects.toMatchObject({ code: 2, message: expect.stringMatching(message) });
  expect(readFileSync(file, 'utf8')).toBe(before);
  await set('keys.bind', ['{ "app.dance" = "f9", "app.quit" = "f8" }']);
  await set('keys.profile', ['vim']);
  expect(readFileSync(file, 'utf8')).toContain('"app.quit" = "f8"');
});

test('set does not take a list that is wrong for one text', async () => {
  write('');
  for (const [name, value, message] of [
    ['notify.keywords', '["a"]', /notify\.keywords must be a list of at most 50/],
    ['notify.keywords', '["ferry", 3]', /keywords must be a list/],
    ['notify.command', '[]', /notify\.command must be a program/],
    ['notify.command', '["notify-send"', /^notify\.command: this is no list of TOML/],
    ['profiles.work.token_command', '["pass"', /token_command must be a program/],
  ] as const)
    await expect(set(name, [value])).rejects.toMatchObject({ code: 2, message: expect.stringMatching(message) });
  expect(readFileSync(file, 'utf8')).toBe('');
  await set('notify.keywords', ['[urgent]']);
  expect(readFileSync(file, 'utf8')).toContain('keywords = ["[urgent]"]');
});

test('check gives the line of wrong keys, servers and themes', async () => {
  write(
    [
      'theme = "missing.toml"',
      '[profiles.a]',
      'server = "not a url"',
      '[keys.bind]',
      '"app.quitt" = "f9"',
      'app.quit = "ctl+q"',
      'goto.open = "ctrl+q"',
      '[keys.macros.away]',
      'run = []',
      '',
    ].join('\n'),
  );
  await check();
  const lines = printed.split('\n').map((line) => line.slice(file.length));
  expect(lines).toEqual([
    expect.stringMatching(/^:3: .*address/),
    expect.stringMatching(/^:5: .*no command "app.quitt"/),
    expect.stringMatching(/^:6: .*"ctl\+q" is not a key/),
    expect.stringMatching(/^:8: .*runs nothing/),
    expect.stringMatching(/^:7: .*Ctrl-Q/),
    expect.stringMatching(/^:1: .*\/missing\.toml: .*no such file/),
    '',
  ]);
});

test('a value that is refused is not shown as a value of the file', async () => {
  write('mouse = 3\ntheme = "dark"\n');
  await list({});
  expect(printed).toMatch(/^msg-tui: .*config\.toml:1: mouse must be true or false/m);
  expect(printed).toMatch(/^mouse +true +default +true$/m);
  expect(printed).toMatch(/^theme +"dark" +config\.toml:2 /m);
  await expect(get('mouse')).rejects.toMatchObject({
    code: 1,
    message: expect.stringContaining('config.toml:1: mouse'),
  });
});

test('server and token_command of a profile are set, printed and removed', async () => {
  write('[profiles.work]\nserver = "https://chat.example"\n');
  await set('profiles.work.token_command', ['pass', 'show', 'chat']);
  await get('profiles.work.token_command');
  await set('profiles.work.token_command', ['pass show "my chat"']);
  await get('profiles.work.token_command');
  await set('profiles.work.token_command', ['["pass", "other"]']);
  await get('profiles.work.token_command');
  await get('profiles.work.server');
  expect(printed).toBe(
    '["pass", "show", "chat"]\n["pass", "show", "my chat"]\n["pass", "other"]\nhttps://chat.example\n',
  );
  await unset('profiles.work.token_command');
  expect(readFileSync(file, 'utf8')).toBe('[profiles.work]\nserver = "https://chat.example"\n');
  await expect(unset('profiles.work.server')).rejects.toMatchObject({ code: 2, message: /profiles remove work/ });
  await expect(set('profiles.home.token_command', ['pass'])).rejects.toMatchObject({ message: /has no server/ });
  await expect(set('profiles.work.token_command', ['[1]'])).rejects.toMatchObject({ code: 2 });
  await expect(get('profiles.home.server')).rejects.toMatchObject({ code: 2, message: /no profile "home"/ });
});

test('a setting is changed in what another program has written into the file meanwhile', async () => {
  for (const [change, expected] of [
    [() => set('theme', ['dark']), 'mouse = false\ncoach = false\ntheme = "dark"\n'],
    [() => unset('mouse'), 'coach = false\n'],
  ] as const) {
    write('mouse = false\n');
    const changed = change();
    write('mouse = false\ncoach = false\n');
    await changed;
    expect(readFileSync(file, 'utf8')).toBe(expected);
  }
});

test('what is written into the file while it is edited stays, and the edited text is saved beside it', async () => {
  write('mouse = false\n');
  const editor = join(dirname(file), 'editor.sh');
  writeFileSync(editor, `#!/bin/sh\necho 'mouse = true' > "$1"\necho 'theme = "dark"' > '${file}'\n`, { mode: 0o755 });
  vi.stubEnv('VISUAL', editor);
  await expect(edit()).rejects.toMatchObject({
    code: 1,
    message: expect.stringMatching(
      /was changed while it was edited, .* your text is in .*config\.toml\.edited-\d{14}: /,
    ),
  });
  expect(readFileSync(file, 'utf8')).toBe('theme = "dark"\n');
  const [kept = ''] = readdirSync(dirname(file)).filter((name) => name.startsWith('config.toml.edited-'));
  expect(readFileSync(join(dirname(file), kept), 'utf8')).toBe('mouse = true\n');
});

test('a text that cannot be written into the folder of config.toml is kept in a temporary folder', async () => {
  vi.stubEnv('MSG_TUI_CONFIG', '/proc/no-such-folder/config.toml');
  const temporary = temporaryDirectory();
  vi.stubEnv('TMPDIR', temporary);
  const editor = join(temporary, 'editor.sh');
  writeFileSync(editor, `#!/bin/sh\necho 'mouse = true' > "$1"\n`, { mode: 0o755 });
  vi.stubEnv('VISUAL', editor);
  const message = expect.stringMatching(/cannot be written: .*; your text is in /);
  await expect(edit()).rejects.toMatchObject({ code: 1, message });
  const [folder = ''] = readdirSync(temporary).filter((name) => name.startsWith('msg-tui-'));
  const [kept = ''] = readdirSync(join(temporary, folder));
  expect(readFileSync(join(temporary, folder, kept), 'utf8')).toBe('mouse = true\n');
});

test('Ctrl-C at the question after a wrong text ends config edit with 130, and the file stays as it was', async () => {
  write('mouse = false\n');
  const editor = join(dirname(file), 'editor.sh');
  writeFileSync(editor, `#!/bin/sh\necho 'theme = [' > "$1"\n`, { mode: 0o755 });
  vi.stubEnv('VISUAL', editor);
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(stdin as never);
  const { isTTY } = process.stderr;
  process.stderr.isTTY = true;
  onTestFinished(() => {
    process.stderr.isTTY = isTTY;
  });
  const edited = edit();
  const ended = expect(edited).rejects.toMatchObject({ code: 130 });
  await vi.waitFor(() => expect(printed).toContain('Edit again'));
  stdin.write('\u0003');
  await ended;
  expect(readFileSync(file, 'utf8')).toBe('mouse = false\n');
});

test('a wrong text ends config edit with 1 if there is no terminal to ask on, and the file stays as it was', async () => {
  write('mouse = false\n');
  const editor = join(dirname(file), 'editor.sh');
  writeFileSync(editor, `#!/bin/sh\necho 'theme = [' > "$1"\n`, { mode: 0o755 });
  vi.stubEnv('VISUAL', editor);
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(new PassThrough() as never);
  await expect(edit()).rejects.toMatchObject({ code: 1, message: expect.stringContaining('nothing was saved') });
  expect(readFileSync(file, 'utf8')).toBe('mouse = false\n');
});

test('what was saved is kept where the editor fails, also where it was opened again', async () => {
  const editor = join(temporaryDirectory(), 'editor.sh');
  vi.stubEnv('VISUAL', editor);
  const kept: string[] = [];
  const edited = (script: string): Promise<string | null> => {
    writeFileSync(editor, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const wrong = async (): Promise<readonly string[]> => ['it is wrong'];
    return editConfig('mouse = false\n', wrong, (text) => void kept.push(text), { line: async () => '' });
  };
  await expect(edited('echo once > "$1"; exit 3')).rejects.toMatchObject({ code: 1, message: /ended with code 3/ });
  await expect(edited('grep -q again "$1" && exit 4; echo again > "$1"')).rejects.toMatchObject({ code: 1 });
  await expect(edited('exit 5')).rejects.toMatchObject({ code: 1 });
  expect(kept).toEqual(['once\n', 'again\n']);
});

test('a signal while the editor is open ends config edit, and what was saved in the editor is kept', async () => {
  write('mouse = false\n');
  const editor = join(dirname(file), 'editor.sh');
  const script = `echo 'theme = "dark"' > "$1"; echo "$1" > note; while [ ! -e go ]; do sleep 0.05; done`;
  writeFileSync(editor, `#!/bin/sh\ncd '${dirname(file)}'; ${script}\n`, { mode: 0o755 });
  vi.stubEnv('VISUAL', editor);
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
  const edited = edit();
  const copy = await vi.waitFor(() => readFileSync(join(dirname(file), 'note'), 'utf8').trim(), { timeout: 5_000 });
  process.emit('SIGTERM');
  expect(exit).toHaveBeenCalledWith(143);
  const [kept = ''] = readdirSync(dirname(file)).filter((name) => name.startsWith('config.toml.edited-'));
  expect(readFileSync(join(dirname(file), kept), 'utf8')).toBe('theme = "dark"\n');
  expect(printed).toContain(`your text is in ${file}.edited-`);
  writeFileSync(join(dirname(file), 'go'), '');
  await edited;
  expect(existsSync(copy)).toBe(false);
});

test('a signal while it is asked about a wrong text ends config edit, and the text is kept', async () => {
  const editor = join(temporaryDirectory(), 'editor.sh');
  writeFileSync(editor, '#!/bin/sh\necho wrong > "$1"\n', { mode: 0o755 });
  vi.stubEnv('VISUAL', editor);
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
  const kept: string[] = [];
  const line = async (): Promise<string> => {
    process.emit('SIGHUP');
    return 'd';
  };
  const wrong = async (): Promise<readonly string[]> => ['it is wrong'];
  await editConfig('mouse = false\n', wrong, (text) => void kept.push(text), { line });
  expect(exit).toHaveBeenCalledWith(143);
  expect(kept).toEqual(['wrong\n']);
});

test('edit gives the editor a file with the name config.toml', async () => {
  const note = join(dirname(file), 'note');
  const editor = join(dirname(file), 'editor.sh');
  writeFileSync(editor, `#!/bin/sh\nbasename "$1" > '${note}'\n`, { mode: 0o755 });
  vi.stubEnv('VISUAL', editor);
  await edit();
  expect(readFileSync(note, 'utf8')).toBe('config.toml\n');
});
