/** Commands of the user as real children: what they see, how long and how often they run. */
import childProcess, { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { childEnvironment } from '../../src/config/child-environment.ts';
import { createCommandRunner } from '../../src/hooks/command-runner.ts';
import { systemClock } from '../../src/sync/services/clock.ts';
import { temporaryDirectory } from '../storage/builders.ts';

const patience = { timeout: 30_000 };
/** What is configured; the arguments of each job are its own. */
const command = ['the-command'];

function stage(env: Record<string, string | undefined> = {}, timeoutMs = 60_000) {
  const file = join(temporaryDirectory(), 'out');
  const troubles: string[] = [];
  const failed: string[] = [];
  const runner = createCommandRunner({
    clock: systemClock,
    environment: () => ({ PATH: process.env.PATH, OUT: file, ...env }),
    onTrouble: (problem) => troubles.push(problem),
    timeoutMs,
  });
  const script = (source: string, input = ''): void =>
    runner.run({ argv: [process.execPath, '-e', source], command, input, onFailed: () => failed.push(input) });
  const out = (): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  return { runner, script, out, troubles, failed };
}

const note = `require('fs').appendFileSync(process.env.OUT, require('fs').readFileSync(0, 'utf8') + '\\n')`;

test('the document is on standard input, and no token is in the environment', async () => {
  const secret = 'the-token-of-mine';
  const all = { PATH: process.env.PATH, MSG_TUI_TOKEN: secret, COPY: `Bearer ${secret}`, KEPT: 'yes', EMPTY: '' };
  const { script, out } = stage(childEnvironment([secret, ''], all));
  script(
    `const fs = require('fs'); fs.writeFileSync(process.env.OUT, fs.readFileSync(0, 'utf8') + JSON.stringify(process.env))`,
    'input ',
  );
  await vi.waitFor(() => expect(out()).toContain('input {'), patience);
  expect(out()).not.toContain(secret);
  expect(out()).toContain('"KEPT":"yes"');
});

test('one command runs at a time, one a second; of those that wait only the newest runs', async () => {
  const { script, out, failed } = stage();
  const begun = performance.now();
  for (const input of ['1', '2', '3', '4']) script(note, input);
  await vi.waitFor(() => expect(out()).toBe('1\n4\n'), patience);
  // A timer may be a millisecond early.
  expect(performance.now() - begun).toBeGreaterThanOrEqual(990);
  expect(failed).toEqual([]);
});

test('a command that takes too long is ended with the processes that it has started', async () => {
  const { runner, troubles, failed, out } = stage({}, 500);
  const inner = `setTimeout(() => ${note}, 3_000)`;
  const outer = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}]); setInterval(() => 0, 1000)`;
  runner.run({ argv: [process.execPath, '-e', outer], input: 'x', onFailed: () => failed.push('x') });
  await vi.waitFor(
    () => expect(troubles).toEqual([expect.stringMatching(/: took longer than 0.5 s and was ended$/)]),
    patience,
  );
  expect(failed).toEqual(['x']);
  expect(out()).toBe('');
});

test('a failure is reported once, and again after the command has worked', async () => {
  const { runner, script, troubles, failed, out } = stage();
  runner.run({ argv: ['/nowhere/at-all'], command, input: '', onFailed: () => failed.push('gone') });
  await vi.waitFor(() => expect(troubles).toEqual(['/nowhere/at-all: no such program']), patience);
  script(`process.stderr.write('no display\\nmore'); process.exitCode = 3`, 'second');
  await vi.waitFor(() => expect(failed).toEqual(['gone', 'second']), patience);
  expect(troubles).toHaveLength(1);
  script(note, 'works');
  await vi.waitFor(() => expect(out()).toBe('works\n'), patience);
  script(`process.stderr.write('no display\\nmore'); process.exitCode = 3`, 'third');
  await vi.waitFor(() => expect(troubles[1]).toMatch(/: exit code 3(: no display)?$/), patience);
});

test('a failure of another command is reported at once, as the user may have tried to correct the first', async () => {
  const { runner, troubles } = stage();
  const run = (program: string): void => runner.run({ argv: [program], input: '' });
  run('/nowhere/at-all');
  await vi.waitFor(() => expect(troubles).toEqual(['/nowhere/at-all: no such program']), patience);
  run('/nowhere/else');
  await vi.waitFor(() => expect(troubles.slice(1)).toEqual(['/nowhere/else: no such program']), patience);
});

test('much output and a document that is not read do no harm', async () => {
  const { script, troubles } = stage();
  script(
    `process.stdout.write('x'.repeat(5e6)); process.stderr.write('y'.repeat(5e6), () => process.exit(1))`,
    'z'.repeat(2e6),
  );
  await vi.waitFor(() => expect(troubles).toHaveLength(1), patience);
  expect(troubles[0]?.length).toBeLessThan(600);
});

test('a command that is ended with the program has not failed, and none is started after it', async () => {
  const { runner, script, out, troubles, failed } = stage();
  script(`require('fs').writeFileSync(process.env.OUT, String(process.pid)); setInterval(() => 0, 1_000)`, 'running');
  await vi.waitFor(() => expect(out()).not.toBe(''), patience);
  const pid = Number(out());
  runner.stop();
  script(note, 'too late');
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), patience);
  // The end of the child is reported before that of a command which is started later.
  const other = stage();
  other.script(note, 'other');
  await vi.waitFor(() => expect(other.out()).toBe('other\n'), patience);
  expect([troubles, failed]).toEqual([[], []]);
  expect(out()).toBe(String(pid));
});

test('a command that cannot start because too many files are open fails like any other', async () => {
  const { spawn } = childProcess;
  const restore = (): void => {
    childProcess.spawn = spawn;
    syncBuiltinESMExports();
  };
  onTestFinished(restore);
  // Node returns a child without pipes then, and reports the error by an event.
  const child = new ChildProcess();
  childProcess.spawn = (() => child) as unknown as typeof spawn;
  syncBuiltinESMExports();
  const { runner, troubles, failed } = stage();
  runner.run({ argv: ['say'], input: '', onFailed: () => failed.push('say') });
  restore();
  child.emit('error', Object.assign(new Error('spawn say EMFILE'), { code: 'EMFILE' }));
  await vi.waitFor(() => expect([troubles, failed]).toEqual([['say: spawn say EMFILE'], ['say']]), patience);
});
