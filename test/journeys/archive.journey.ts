/** Conversations leave the program as a file, come back as an archive, and are read where nothing can be written. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { environmentIn, program } from '../support/terminals/program.ts';
import { seed } from './cast.ts';

test('export, import and --archive', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'msg-tui-archive-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'all.jsonl');
  const archive = join(folder, 'all.db');
  const j = await journey({ seed, start: false, args: ['--archive', archive] });
  const env = {
    ...environmentIn(join(j.folder, 'home')),
    MSG_TUI_SERVER: j.server.url,
    MSG_TUI_TOKEN: j.server.me.token,
  };
  const run = async (...args: string[]) => promisify(execFile)(process.execPath, [program, ...args], { env });
  expect((await run('export', '--all', '--complete', '--output', file)).stderr).toMatch(
    /\d+ conversations, \d+ messages\n$/,
  );
  const bytes = readFileSync(file);
  const { sha256 } = JSON.parse(bytes.toString().trimEnd().split('\n').at(-1) ?? '') as { readonly sha256: string };
  expect(createHash('sha256').update(bytes.subarray(0, -78)).digest('hex')).toBe(sha256);
  expect(bytes.toString()).not.toContain(j.server.me.token);
  await run('import', file);
  await j.server.close();
  // Without the server, and in no time, the export has what is cached, and says so with 4.
  for (const given of [[], ['--timeout', '0']]) {
    const again = join(folder, 'again.jsonl');
    const ended = await run('export', '--all', '--complete', ...given, '--output', again).catch((error) => error);
    expect([ended.code, ended.stderr]).toEqual([4, expect.stringMatching(/; the export has what is cached\n$/)]);
    expect(readFileSync(again).equals(bytes)).toBe(true);
    rmSync(again);
  }

  j.start();
  await j.see(/all\.db .* archive/);
  await j.open('ann');
  await j.see('Bring the tickets');
  await j.see('This is an archive: nothing can be written');
  j.press('message.previous', 'message.delete');
  await j.see('This is an archive: nothing in it can be changed');
  await j.quit();
  expect(readFileSync(file).equals(bytes)).toBe(true);
}, 60_000);
