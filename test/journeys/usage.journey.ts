/** What cannot work ends with one line that says what to do, before the screen is taken. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { environmentIn, program } from '../support/journey.ts';
import { spawnTui } from '../support/pty.ts';

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
])('%s', async (_, env, text, code) => {
  const tui = spawnTui({ args: [program], env: { ...environmentIn(home()), ...env }, columns: 200, rows: 10 });
  onTestFinished(() => tui.close());
  expect(await tui.exited).toEqual({ code, signal: 0 });
  expect(tui.screen().filter((row) => row !== '')).toEqual([expect.stringContaining(text)]);
  expect(tui.output()).toMatch(/^msg-tui: [^\x00-\x1f]+\r\n$/);
  expect(tui.output()).not.toContain(token);
});

test('no terminal', async () => {
  const result = await new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const env = { ...environmentIn(home()), MSG_TUI_SERVER: 'http://127.0.0.1:9', MSG_TUI_TOKEN: token };
    const child = execFile(process.execPath, [program], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
    child.stdin?.end();
  });
  expect(result).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(/terminal.*\n$/) });
});
