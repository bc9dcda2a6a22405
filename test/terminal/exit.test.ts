import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { spawnTui, type Tui } from '../support/pty.ts';

const folder = mkdtempSync(join(tmpdir(), 'msg-tui-exit-'));
const program = join(folder, 'program.mjs');

beforeAll(async () => {
  await build({
    entryPoints: [join(import.meta.dirname, 'fixtures/program.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile: program,
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The program under a shell, which says afterwards what the terminal's line settings are. */
function start(way: string): Tui {
  const script = `stty -a > ${folder}/before-$$; "${process.execPath}" "${program}" ${way}; code=$?; stty -a | cmp -s - ${folder}/before-$$ && echo "same settings, code $code" || echo "settings differ, code $code"`;
  const tui = spawnTui({ command: '/bin/sh', args: ['-c', script], columns: 60, rows: 10 });
  onTestFinished(() => tui.close());
  return tui;
}

async function ready(tui: Tui): Promise<number> {
  await tui.waitFor('ready');
  expect(tui.isAlternate()).toBe(true);
  expect(tui.modes()).toEqual({ mouse: 'drag', paste: true, focus: true, wrap: false });
  return childOf(tui.pid);
}

/** The one process that the shell has started. */
function childOf(pid: number): number {
  return Number.parseInt(execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' }), 10);
}

function expectRestored(tui: Tui): void {
  expect(tui.isAlternate()).toBe(false);
  expect(tui.modes()).toEqual({ mouse: 'none', paste: false, focus: false, wrap: true });
  expect(tui.output().lastIndexOf('\x1b[?25h')).toBeGreaterThan(tui.output().lastIndexOf('\x1b[?25l'));
  expect(tui.output().match(/\x1b\[\?1049l/g)).toHaveLength(1);
}

describe('the terminal is as before after', () => {
  test.each([
    ['process.exit', 'exit', 0, ''],
    ['the loop running empty', 'return', 0, ''],
    ['an exception', 'throw', 1, 'stopped: thrown'],
    ['a rejection that nobody handles', 'reject', 1, 'stopped: rejected'],
  ])('%s', async (_, way, code, text) => {
    const tui = start(way);
    await ready(tui);
    tui.press('q');
    await tui.waitFor(`same settings, code ${code}`);
    expectRestored(tui);
    expect(tui.screen().join('\n')).toContain(text);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGQUIT', 131],
  ] as const)('%s', async (signal, code) => {
    const tui = start('signal');
    process.kill(await ready(tui), signal);
    await tui.waitFor(`same settings, code ${code}`);
    expectRestored(tui);
    expect(tui.output()).toContain('saved');
  });
});

test('Ctrl-Z gives the terminal to the shell and fg brings the program back', async () => {
  const tui = spawnTui({
    command: '/bin/bash',
    args: ['--norc', '--noprofile', '-i'],
    env: { PS1: 'prompt> ' },
    columns: 60,
    rows: 10,
  });
  onTestFinished(() => tui.close());
  await tui.waitFor('prompt>');
  tui.type(`"${process.execPath}" "${program}" wait\r`);
  await tui.waitFor('ready');
  tui.press('x');
  await tui.waitFor('key x');
  tui.press('ctrl+z');
  await tui.waitFor(/Stopped[\s\S]*prompt>/);
  expect(tui.isAlternate()).toBe(false);
  expect(tui.modes()).toMatchObject({ mouse: 'none', focus: false, wrap: true });
  tui.resize(50, 8);
  tui.type('fg\r');
  await tui.waitFor(/ready\nkey ctrl\+z\nsize 50x8/);
  expect(tui.isAlternate()).toBe(true);
  tui.press('y');
  await tui.waitFor('key y');
});

test('without a shell to stop for, Ctrl-Z comes back by itself', async () => {
  const tui = spawnTui({ args: [program, 'wait'], columns: 60, rows: 10 });
  onTestFinished(() => tui.close());
  await tui.waitFor('ready');
  tui.press('ctrl+z');
  await tui.waitForOutput('\x1b[?1049l');
  await tui.waitFor('key ctrl+z');
  expect(tui.isAlternate()).toBe(true);
});

test('a terminal that goes away ends the program', async () => {
  const tui = spawnTui({ args: [program, 'wait'], columns: 60, rows: 10 });
  await tui.waitFor('ready');
  tui.hangUp();
  await vi.waitFor(() => expect(() => process.kill(tui.pid, 0)).toThrow('ESRCH'), 5000);
});

test('a storm of resizes ends in the right picture', async () => {
  const tui = spawnTui({ args: [program, 'wait'], columns: 60, rows: 10 });
  onTestFinished(() => tui.close());
  await tui.waitFor('ready');
  for (const columns of [1, 500, 2, 40, 300, 7, 80, 33]) tui.resize(columns, (columns % 20) + 1);
  await tui.waitFor('size 33x14');
  expect(tui.screen().slice(0, 4)).toEqual(['ready', 'key none', 'size 33x14', '']);
  const bytes = tui.output();
  tui.press('b');
  await tui.waitFor('key b');
  expect(tui.output().slice(bytes.length).length).toBeLessThanOrEqual(40);
});
