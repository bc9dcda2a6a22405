/** The built program: what `ledger`, `hooks test`, `bug` and `--debug-log` show of a chat that received and sent a message. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../storage/builders.ts';
import { type Journey, journey } from '../support/terminals/journey.ts';
import { environmentIn, program } from '../support/terminals/program.ts';
import { talking, withAnn, withBob } from './cast.ts';

function run(j: Journey, ...words: string[]): string {
  const account = { MSG_TUI_SERVER: j.server.url, MSG_TUI_TOKEN: j.server.me.token };
  const env = { PATH: process.env.PATH ?? '', ...environmentIn(j.folder), ...account };
  return execFileSync(process.execPath, [program, ...words], { env, encoding: 'utf8' });
}

test('the ledger lists what left the machine, the report and the debug log have no content, and a hook runs', async () => {
  const log = join(temporaryDirectory(), 'debug.jsonl');
  const j = await journey({ seed: talking(withAnn, withBob), start: false, args: ['--debug-log', log] });
  const [told, config] = [join(j.folder, 'told'), join(j.folder, 'config/msg-tui')];
  const script = `require('fs').appendFileSync(process.argv[1], require('fs').readFileSync(0, 'utf8'))`;
  mkdirSync(config, { recursive: true });
  const hook = JSON.stringify([process.execPath, '-e', script, told]);
  writeFileSync(join(config, 'config.toml'), `[hooks]\narrival = ${hook}\n`, { mode: 0o600 });
  j.start();
  await j.see('Half of it');
  await j.server.as('bob').send('me', 'Is the ferry late?');
  j.press('server.poll');
  await expect.poll(() => readdirSync(j.folder)).toContain('told');
  await j.open('bob');
  j.type('A quiet answer');
  await j.see('A quiet answer');
  j.press('message.send');
  await expect.poll(() => j.server.me.texts('bob')).toContain('A quiet answer');
  await j.quit();

  expect(JSON.parse(readFileSync(told, 'utf8'))).toMatchObject({
    event: 'arrival',
    messages: [{ text: 'Is the ferry late?' }],
  });
  const { hosts, hooks } = JSON.parse(run(j, 'ledger', '--summary', '--json'));
  expect(hosts.map(({ host }: { host: string }) => host)).toEqual([new URL(j.server.url).host]);
  expect(hooks).toMatchObject([{ reason: 'hooks.arrival', runs: 1, failed: 0 }]);
  expect(run(j, 'ledger')).toMatch(/POST +201 .* send .*\/v1\/messages\n/);
  expect(JSON.parse(run(j, 'hooks', 'test', '--days', '1', '--json')).hooks[0].runs).toBeGreaterThan(0);
  const debugLog =
    run(j, 'ledger', '--debug-log', join(j.folder, 'second.jsonl')) &&
    readFileSync(join(j.folder, 'second.jsonl'), 'utf8');
  expect(JSON.parse(debugLog)).toMatchObject({ event: 'start', command: 'ledger' });
  const shown = run(j, 'bug', '--yes', '--output', join(j.folder, 'reports'));
  const [report = ''] = readdirSync(join(j.folder, 'reports'));
  for (const name of readdirSync(join(j.folder, 'reports', report)))
    expect(shown).toContain(readFileSync(join(j.folder, 'reports', report, name), 'utf8'));
  expect(statSync(log).mode & 0o777).toBe(0o600);
  const kept = readFileSync(log, 'utf8');
  expect(kept).toContain('"event":"op"');
  for (const content of ['ferry', 'quiet answer', 'Half of it', '"bob"', j.server.me.token, j.folder])
    for (const [where, text] of Object.entries({ shown, kept }))
      expect(text, `${content} in ${where}`).not.toContain(content);
});
