/** A Node without SQLite and without the optional package: the chat works in memory, says what is lost, and loses nothing unasked. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Journey, journey } from '../support/terminals/journey.ts';
import { environmentIn, program } from '../support/terminals/program.ts';
import { seed } from './cast.ts';

/** If Node includes SQLite, an option turns it off. */
const hidden = isBuiltin('node:sqlite') ? { NODE_OPTIONS: '--no-experimental-sqlite' } : {};

/** The built program in a folder from which no package can be found. */
function alone(): string {
  const folder = mkdtempSync(join(tmpdir(), 'msg-tui-alone-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(dirname(program), join(folder, 'dist'), { recursive: true });
  return join(folder, 'dist', 'msg-tui.cjs');
}

const started = (): Promise<Journey> => journey({ seed, program: alone(), env: hidden });

test('messages are sent, and a question is asked before unsent text is lost', async () => {
  const j = await started();
  await j.see(/Nothing is kept on disk: drafts and messages that were not\s+sent are gone when you quit/);
  await j.see('Node 22.13 or later');
  expect(j.rows('nothing kept')).toHaveLength(1);
  await j.open('ann');
  j.type('from memory');
  j.press('message.send');
  await expect.poll(() => j.server.me.texts('ann')).toContain('from memory');
  j.type('half a thought');
  await j.see('half a thought');
  j.press('app.quit');
  await j.see('One text was not sent.');
  await j.answer('confirm.no', 'Quit and lose what was not sent?');
  expect(j.screen()).toContain('half a thought');
  j.press('app.quit');
  await j.see('Quit and lose what was not sent?');
  const { exited } = j.tui;
  await j.answer('confirm.yes', 'Quit and lose what was not sent?');
  expect((await exited).code).toBe(0);
  expect(j.filesWith('half a thought')).toEqual([]);
  j.start();
  await j.see('Nothing is kept on disk');
  expect((await j.quit()).code).toBe(0);
});

test('the question counts waiting messages too, and a signal reports what was lost', async () => {
  const j = await started();
  await j.open('ann');
  await j.server.stop();
  j.type('waits');
  j.press('message.send');
  await j.see('1 queued');
  j.type('half a thought');
  await j.see('half a thought');
  expect((await j.kill('SIGTERM')).code).toBe(143);
  expect(j.screen()).toContain('msg-tui: 2 texts were not sent. Nothing is kept on disk here: it is lost.');
});

test('doctor reports the missing driver and the remedy', () => {
  const home = mkdtempSync(join(tmpdir(), 'msg-tui-home-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const env = { PATH: process.env.PATH ?? '', ...environmentIn(home), ...hidden };
  const { status, stdout } = spawnSync(process.execPath, [alone(), 'doctor', '--json'], { env, encoding: 'utf8' });
  expect(status).toBe(1);
  const { checks } = JSON.parse(stdout) as { readonly checks: readonly { readonly name: string }[] };
  expect(checks.find(({ name }) => name === 'sqlite')).toMatchObject({
    verdict: 'wrong',
    text: 'none: the chat keeps nothing on disk; what was not sent is gone when it is closed',
    remedy: 'reinstall msg-tui with its optional dependencies, or use Node 22.13 or later',
  });
});
