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

test('exported conversations are imported, and opened with --archive', async () => {
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

  // Where there is neither an account nor a server, and nothing can be written.
  const bare = { ...environmentIn(join(folder, 'nobody')), PATH: '' };
  const reading = async (...args: string[]) =>
    promisify(execFile)(process.execPath, [program, ...args], { env: bare }).catch((error) => error);
  for (const from of [file, archive]) {
    const listed = JSON.parse((await reading('conversations', '--archive', from, '--json')).stdout);
    expect(listed.conversations.map(({ name }: { name: string }) => name)).toContain('ann');
    expect((await reading('read', '--archive', from, 'ann')).stdout).toContain('Bring the tickets');
    // The chat has the option before the command.
    const found = await reading('--archive', from, 'search', 'tickets');
    expect(found.stdout).toMatch(/ann \/ .*Bring the tickets\n/);
    expect(found.stderr).toMatch(/^msg-tui: 1 found; searched \d+ messages of \d+ conversations/);
  }
  const unknown = await reading('read', '--archive', file, 'nobody', '--json');
  expect([unknown.code, JSON.parse(unknown.stderr).error.message]).toEqual([
    5,
    'there is no conversation "nobody" in this archive; msg-tui conversations --archive lists them',
  ]);
  const refused = await reading('read', '--archive', file, 'ann', '--mark-read');
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("'--mark-read'")]);
  const missing = await reading('search', '--archive', join(folder, 'none'), 'tickets');
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('there is no such file')]);

  j.start();
  await j.see(/all\.db .* archive/);
  await j.open('ann');
  await j.see('Bring the tickets');
  await j.see('This is an archive: nothing can be written');
  j.press('message.previous', 'message.delete');
  await j.see('This is an archive: nothing in it can be changed');
  await j.quit();
  expect(readFileSync(file).equals(bytes)).toBe(true);
});
