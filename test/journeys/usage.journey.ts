/** What cannot work ends with one line that says what to do, before the screen is taken. */
import { execFile, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { environmentIn, program } from '../support/terminals/program.ts';
import { spawnTui } from '../support/terminals/pty.ts';

const token = 'a-token-that-must-not-be-shown';

function home(): string {
  const folder = mkdtempSync(join(tmpdir(), 'msg-tui-usage-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test.each([
  ['a server address that is none', { MSG_TUI_SERVER: 'not a url at all', MSG_TUI_TOKEN: token }, 'server address', 2],
  ['plain http elsewhere', { MSG_TUI_SERVER: 'http://chat.example', MSG_TUI_TOKEN: token }, 'https://', 2],
  ['a terminal that cannot', { MSG_TUI_SERVER: 'http://127.0.0.1:9', MSG_TUI_TOKEN: token, TERM: 'dumb' }, 'TERM', 2],
  [
    'a token that no header can carry',
    { MSG_TUI_SERVER: 'http://127.0.0.1:9', MSG_TUI_TOKEN: `${token} x` },
    'TOKEN',
    3,
  ],
  ['a token without a server', { MSG_TUI_TOKEN: token }, 'set MSG_TUI_SERVER=https://… beside it', 2],
])('%s is one line and an exit code', async (_, env, text, code) => {
  const tui = spawnTui({ args: [program], env: { ...environmentIn(home()), ...env }, columns: 200, rows: 10 });
  onTestFinished(() => tui.close());
  expect(await tui.exited).toEqual({ code, signal: 0 });
  expect(tui.screen().filter((row) => row !== '')).toEqual([expect.stringContaining(text)]);
  expect(tui.output()).toMatch(/^msg-tui: [^\x00-\x1f]+\r\n$/);
  expect(tui.output()).not.toContain(token);
});

function run(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const env = { ...environmentIn(home()), MSG_TUI_SERVER: 'http://127.0.0.1:9', MSG_TUI_TOKEN: token };
    const child = execFile(process.execPath, [program, ...words], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
    child.stdin?.end();
  });
}

test.each([
  ['serve bogus', 'serve: there is no command "bogus"; msg-tui serve --help lists them'],
  ['serve --data x.db bogus', 'serve: there is no command "bogus"'],
  ['serve --read-on-open off', 'serve: name the database: --data FILE'],
  ['serve --data x.db user bogus', 'serve user: there is no command "bogus"; there are add, list'],
  ['serev', 'there is no command "serev"; did you mean serve?'],
  ['conversations --view unraed', 'Allowed choices are all, unread, pinned, muted, archived; did you mean unread?'],
  ['paths --\u001b]52;c;cm0gLXJmIH4=\u0007', "unknown option '--␛]52;c;cm0gLXJmIH4=␇'"],
])('a command line that is not understood is reported: %j', async (line, text) => {
  const { code, stdout, stderr } = await run(...line.split(' '));
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^msg-tui: [^\x00-\x1f]+\n$/);
  expect(stderr).toContain(text);
});

test('a token is refused as an option, and not as a text', async () => {
  const refused = { code: 2, stderr: expect.stringContaining('can be read by everybody on this machine') };
  expect(await run('search', `--token=${token}`, 'ferry')).toMatchObject(refused);
  const found = await run('search', '--', `--token=${token}`);
  expect(found).toMatchObject({ code: 0, stderr: expect.stringMatching(/^msg-tui: 0 found; /) });
});

test('without a terminal the short help is printed', async () => {
  const result = await run();
  expect(result).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^msg-tui: the chat needs a terminal\n\nUsage:/),
  });
});

test.runIf(process.platform === 'linux')('output that cannot be written is a failure', () => {
  const full = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(full));
  const result = spawnSync(process.execPath, [program, 'keys'], {
    env: environmentIn(home()),
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  expect(result.status).toBe(1);
  expect(result.stderr).toBe('msg-tui: the output cannot be written: the disk is full; free some space (ENOSPC)\n');
});

test.runIf(process.platform === 'linux')('notes that cannot be written are no failure', () => {
  const full = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(full));
  // It remarks on the variable, and then prints its document.
  const result = spawnSync(process.execPath, [program, 'profiles', '--json'], {
    env: { ...environmentIn(home()), MSG_TUI_SERVER: 'http://127.0.0.1:9' },
    stdio: ['ignore', 'pipe', full],
    encoding: 'utf8',
  });
  expect(result.status).toBe(0);
  expect(JSON.parse(result.stdout)).toEqual({ schema: 1, profiles: [] });
});

test('paths from the environment are printed without control characters', () => {
  const env = { ...environmentIn(home()), XDG_DATA_HOME: '/somewhere/\u001b]0;x\u0007' };
  const { stdout } = spawnSync(process.execPath, [program, 'paths'], { env, encoding: 'utf8' });
  expect(stdout).toContain('data    /somewhere/␛]0;x␇/msg-tui\n');
});

test('the chat ignores DEV, DEBUG and CI', async () => {
  const env = { ...environmentIn(home()), MSG_TUI_SERVER: 'http://127.0.0.1:9', MSG_TUI_TOKEN: token };
  const tui = spawnTui({ args: [program], env: { ...env, DEV: 'true', DEBUG: '*', CI: '1' }, columns: 100, rows: 20 });
  onTestFinished(() => tui.close());
  await tui.waitFor('Conversations');
  tui.press('ctrl+k');
  await tui.waitFor('Go to');
  tui.press('escape');
  await tui.waitFor((screen) => !screen.join().includes('Go to'));
  tui.press('ctrl+q');
  expect(await tui.exited).toEqual({ code: 0, signal: 0 });
});

test.runIf(process.platform === 'linux')(
  'a directory in which nothing can be created does not make the chat hang',
  async () => {
    const env = { ...environmentIn(home()), MSG_TUI_SERVER: 'http://127.0.0.1:9', MSG_TUI_TOKEN: token };
    const tui = spawnTui({ args: [program], env: { ...env, XDG_DATA_HOME: '/proc/self' }, columns: 100, rows: 20 });
    onTestFinished(() => tui.close());
    await tui.waitFor('Conversations');
    tui.press('ctrl+q');
    expect(await tui.exited).toEqual({ code: 0, signal: 0 });
  },
);
