import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { spawnTui, type Tui } from '../support/terminals/pty.ts';

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

/** For what comes at once, but on a busy machine. */
const patience = 30_000;

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

/** What cannot be heard, what is no end, what comes of a fault in the program itself, and what Node passes over. */
const otherSignals: readonly string[] = [
  ...['SIGKILL', 'SIGSTOP'],
  ...['SIGCHLD', 'SIGCONT', 'SIGURG', 'SIGWINCH', 'SIGINFO', 'SIGTSTP', 'SIGTTIN', 'SIGTTOU'],
  ...['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP'],
  ...['SIGPIPE', 'SIGXFSZ'],
  // Other names of SIGABRT and SIGIO.
  ...['SIGIOT', 'SIGPOLL'],
  ...(process.platform === 'linux' ? [] : ['SIGIO']),
];
const ending = (Object.keys(constants.signals) as NodeJS.Signals[]).filter((name) => !otherSignals.includes(name));

describe('the terminal is restored after', () => {
  test.each([
    ['process.exit', 'exit', 0, ''],
    ['the loop running empty', 'return', 0, ''],
    ['an exception', 'throw', 1, 'stopped: thrown'],
    ['a rejection that nobody handles', 'reject', 1, 'stopped: rejected'],
    ['an error while it draws', 'later', 1, 'stopped: Cannot read properties of null'],
    ['signals that come upon one another', 'twice', 143, ''],
  ])('%s', async (_, way, code, text) => {
    const tui = start(way);
    await ready(tui);
    tui.press('q');
    await tui.waitFor(`same settings, code ${code}`);
    expectRestored(tui);
    expect(tui.screen().join('\n')).toContain(text);
  });

  test.each(ending)('%s', async (signal) => {
    const code = 128 + constants.signals[signal];
    const tui = start('signal');
    process.kill(await ready(tui), signal);
    await tui.waitFor(`same settings, code ${code}`);
    expectRestored(tui);
    expect(tui.output()).toContain('saved');
  });
});

test('an answer of the terminal that arrives at the end does not reach the shell', async () => {
  const left = 'stty -icanon -echo min 0 time 5; dd bs=99 count=1 2>/dev/null | od -An -c; echo over';
  const script = `"${process.execPath}" "${program}" asking; ${left}`;
  const tui = spawnTui({ command: '/bin/sh', args: ['-c', script], columns: 60, rows: 10 });
  onTestFinished(() => tui.close());
  await ready(tui);
  tui.press('q');
  await tui.waitFor('over');
  expect(tui.output()).toContain('\x1b[5n');
  expect(tui.screen().filter((row) => row !== '')).toEqual(['over']);
});

/** The program under a shell with job control; under any other one the system does not stop it at all. */
async function startAsJob(): Promise<{ readonly tui: Tui; readonly pid: number }> {
  const tui = spawnTui({
    command: '/bin/bash',
    args: ['--norc', '--noprofile', '-i'],
    env: { PS1: 'prompt> ' },
    columns: 60,
    rows: 10,
  });
  onTestFinished(() => tui.close());
  await tui.waitFor('prompt>');
  tui.type(`clear; "${process.execPath}" "${program}" wait\r`);
  return { tui, pid: await ready(tui) };
}

/** The shell says so after the system has reported it, so the program is stopped by then. */
const isStopped = /Stopped[\s\S]*prompt>/;

test('Ctrl-Z gives the terminal to the shell and fg brings the program back', async () => {
  const { tui } = await startAsJob();
  tui.press('x');
  await tui.waitFor('key x');
  tui.press('ctrl+z');
  await tui.waitFor(isStopped);
  expect(tui.isAlternate()).toBe(false);
  expect(tui.modes()).toMatchObject({ mouse: 'none', focus: false, wrap: true });
  tui.resize(50, 8);
  tui.type('fg\r');
  await tui.waitFor(/ready\nkey ctrl\+z\nsize 50x8/);
  expect(tui.isAlternate()).toBe(true);
  tui.press('y');
  await tui.waitFor('key y');
});

test('without a shell, the program continues by itself after Ctrl-Z', async () => {
  const tui = spawnTui({ args: [program, 'wait'], columns: 60, rows: 10 });
  onTestFinished(() => tui.close());
  await tui.waitFor('ready');
  tui.press('ctrl+z');
  await tui.waitForOutput('\x1b[?1049l');
  await tui.waitFor('key ctrl+z');
  expect(tui.isAlternate()).toBe(true);
});

test('a terminal that is closed ends the program', async () => {
  const tui = spawnTui({ args: [program, 'wait'], columns: 60, rows: 10 });
  await tui.waitFor('ready');
  tui.hangUp();
  await vi.waitFor(() => expect(() => process.kill(tui.pid, 0)).toThrow('ESRCH'), patience);
});

test('after the terminal is closed Node does not abort, which would leave a dump of its memory', async () => {
  const code = join(folder, 'hang-up');
  const script = `trap "" HUP; "${process.execPath}" "${program}" wait; echo $? > ${code}`;
  const tui = spawnTui({ command: '/bin/sh', args: ['-c', script], columns: 60, rows: 10 });
  await tui.waitFor('ready');
  tui.hangUp();
  await vi.waitFor(() => expect(readFileSync(code, 'utf8')).toMatch(/^(1|129)\n$/), patience);
});

test('a terminal that does not read delays no signal', async () => {
  const code = join(folder, 'stuck');
  const behind = join(folder, 'behind');
  const script = `"${process.execPath}" "${program}" flood 2> ${behind}; echo $? > ${code}`;
  const tui = spawnTui({ command: '/bin/sh', args: ['-c', script], columns: 60, rows: 10 });
  onTestFinished(() => tui.close());
  const pid = await ready(tui);
  tui.stopReading();
  tui.press('q');
  await vi.waitFor(() => expect(readFileSync(behind, 'utf8')).toContain('behind'), patience);
  process.kill(pid, 'SIGTERM');
  await vi.waitFor(() => expect(readFileSync(code, 'utf8')).toBe('143\n'), patience);
});

test('after a storm of resizes the last frame is right', async () => {
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

/** Of the process that looks at the terminal. */
const terminalOf = (pid: number): string => readlinkSync(`/proc/${pid}/fd/0`);

describe('a program that is stopped from outside', () => {
  const stopped = async (): Promise<{ readonly tui: Tui; readonly pid: number }> => {
    const job = await startAsJob();
    process.kill(job.pid, 'SIGTSTP');
    await job.tui.waitFor(isStopped);
    return job;
  };

  test('restores the terminal at SIGTSTP, and takes it again at fg', async () => {
    const { tui } = await stopped();
    expect(tui.isAlternate()).toBe(false);
    expect(tui.modes()).toMatchObject({ mouse: 'none', focus: false, wrap: true });
    tui.type('fg\r');
    await tui.waitFor('ready');
    expect(tui.isAlternate()).toBe(true);
    tui.press('z');
    await tui.waitFor('key z');
  });

  test('leaves the terminal as it was if it is ended while it is stopped', async () => {
    const { tui, pid } = await stopped();
    // A stopped process takes note of the first signal when the second one lets it go on.
    process.kill(pid, 'SIGTERM');
    process.kill(pid, 'SIGCONT');
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), patience);
    tui.type('echo still $((40 + 2))\r');
    await tui.waitFor(/Terminated[\s\S]*prompt>/);
    await tui.waitFor('still 42');
    expect(tui.isAlternate()).toBe(false);
    expect(tui.modes()).toMatchObject({ mouse: 'none', focus: false, wrap: true });
    expect(tui.output().match(/\x1b\[\?1049h/g)).toHaveLength(1);
    expect(tui.output()).toContain('saved');
  });

  test('after a kill without any warning, the next run in that terminal resets its modes', async () => {
    const run = `"${process.execPath}" "${program}"`;
    const script = `${run} wait; echo killed $?; sleep 0.2; ${run} exit; echo over $?`;
    const tui = spawnTui({ command: '/bin/sh', args: ['-c', script], columns: 60, rows: 10 });
    onTestFinished(() => tui.close());
    process.kill(await ready(tui), 'SIGKILL');
    await tui.waitForOutput('killed 137');
    await tui.waitForOutput('key none');
    await vi.waitFor(() => expect(tui.output().split('\x1b[?1049h')).toHaveLength(3), patience);
    await tui.waitFor('ready');
    tui.press('q');
    await tui.waitFor('over 0');
    expect(tui.isAlternate()).toBe(false);
    expect(tui.modes()).toEqual({ mouse: 'none', paste: false, focus: false, wrap: true });
  });
});

describe('at sizes that no terminal has', () => {
  test('of every width from 1 to 500 frames are drawn', async () => {
    const tui = spawnTui({ args: [program, 'wait'], columns: 60, rows: 10 });
    onTestFinished(() => tui.close());
    await tui.waitFor('ready');
    for (let columns = 1; columns <= 500; columns += 1) tui.resize(columns, (columns % 40) + 1);
    tui.resize(44, 9);
    await tui.waitFor('size 44x9');
    expect(tui.screen().slice(0, 3)).toEqual(['ready', 'key none', 'size 44x9']);
  });

  test.runIf(process.platform === 'linux')('of 0 × 0 and back, frames are drawn', async () => {
    const tui = spawnTui({ args: [program, 'wait'], columns: 60, rows: 10 });
    onTestFinished(() => tui.close());
    await tui.waitFor('ready');
    const bytes = tui.output().length;
    execFileSync('stty', ['-F', terminalOf(tui.pid), 'cols', '0', 'rows', '0']);
    tui.press('b');
    tui.resize(61, 11);
    await tui.waitFor('size 61x11');
    await tui.waitFor('key b');
    expect(tui.output().length).toBeGreaterThan(bytes);
  });
});

test('when the reader of its output is gone the program ends, and the settings are as before', async () => {
  const script = `stty -a > ${folder}/before-$$; { "${process.execPath}" "${program}" wait; echo "ended $?" > ${folder}/ended-$$; } | { head -c 20 > /dev/null; }; stty -a | cmp -s - ${folder}/before-$$ && echo "same settings" || echo "settings differ"; cat ${folder}/ended-$$`;
  const tui = spawnTui({ command: '/bin/sh', args: ['-c', script], columns: 60, rows: 10 });
  onTestFinished(() => tui.close());
  // Each key draws something: a program that has nothing to write does not notice.
  let typed = 0;
  const typing = setInterval(() => tui.press(typed++ % 2 === 0 ? 'x' : 'y'), 50);
  onTestFinished(() => clearInterval(typing));
  await tui.waitFor(/same settings[\s\S]*ended \d+/);
});
