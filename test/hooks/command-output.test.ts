/** What commands print, with limits of time and length. */
import { expect, onTestFinished, test } from 'vitest';
import { outputOf } from '../../src/hooks/command-output.ts';

const run = (source: string, options: { readonly timeoutMs?: number; readonly signal?: AbortSignal } = {}) =>
  outputOf({
    argv: [process.execPath, '-e', source],
    environment: { PATH: process.env.PATH, KEPT: 'kept' },
    timeoutMs: 60_000,
    mostBytes: 1_000,
    ...options,
  });

test('the output of a successful command is returned; any failure is one line that quotes nothing of it', async () => {
  expect(await run('console.log(process.env.KEPT, process.argv.length)')).toBe('kept 1\n');
  await expect(run('console.log("secret"); console.error("secret"); process.exit(3)')).rejects.toThrow(
    /^it ended with exit code 3$/,
  );
  await expect(run('process.kill(process.pid, "SIGTERM")')).rejects.toThrow('SIGTERM ended it');
  await expect(run('console.log("x".repeat(5000)); setInterval(() => {}, 1000)')).rejects.toThrow(
    'more than 1000 bytes',
  );
  await expect(run('setInterval(() => {}, 1000)', { timeoutMs: 300 })).rejects.toThrow('longer than 0.3 s');
  await expect(run('setInterval(() => {}, 1000)', { signal: AbortSignal.timeout(200) })).rejects.toThrow('stopped');
  const missing = outputOf({ argv: ['no-such-program-here'], environment: {}, timeoutMs: 1_000, mostBytes: 10 });
  await expect(missing).rejects.toThrow('no such program');
});

test('a process that the command leaves behind is not waited for', async () => {
  const behind = 'require("child_process").spawn("sleep", ["5"], { stdio: "inherit" }).unref()';
  expect(await run(`${behind}; console.log("token")`, { timeoutMs: 4_000 })).toBe('token\n');
});

test('a signal that ends this program ends the command, which has a process group of its own', async () => {
  const others = () => undefined;
  process.on('SIGTERM', others);
  onTestFinished(() => void process.off('SIGTERM', others));
  const before = process.listenerCount('SIGTERM');
  const endless = run('setInterval(() => {}, 1000)', { timeoutMs: 3_000 });
  const ended = expect(endless).rejects.toThrow('SIGKILL ended it');
  process.emit('SIGTERM', 'SIGTERM');
  await ended;
  expect(process.listenerCount('SIGTERM')).toBe(before);
});
