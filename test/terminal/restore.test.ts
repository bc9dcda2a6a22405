import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { type ProcessPort, Restore } from '../../src/terminal/restore.ts';

/** Longer than the program waits for another signal before it comes back. */
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

function setUp(onFatal: (error: unknown) => string | null = () => 'bad\n', platform = 'linux') {
  const log: string[] = [];
  const process = Object.assign(new EventEmitter(), {
    pid: 42,
    platform,
    kill: (pid: number, signal: string) => log.push(`kill ${pid} ${signal}`),
    exit: (code: number) => log.push(`exit ${code}`),
  });
  const restore = new Restore({
    process: process as unknown as ProcessPort,
    screen: { enter: () => log.push('enter'), leave: () => log.push('leave') },
    input: { start: () => log.push('start'), stop: () => log.push('stop') },
    onFatal,
    say: (text) => log.push(`stderr ${text.trim()}`),
    beforeExit: () => log.push('save'),
    beforeStop: () => log.push('save'),
  });
  return { log, process, restore };
}

test('a signal saves, restores and exits once', () => {
  const { log, process } = setUp();
  process.emit('SIGTERM');
  process.emit('SIGTERM');
  expect(log).toEqual(['save', 'leave', 'stop', 'exit 143']);
});

test('an error is printed after the terminal is restored, even if it cannot be described', () => {
  const { log, process } = setUp();
  process.emit('uncaughtException', new Error('x'));
  expect(log.indexOf('leave')).toBeLessThan(log.indexOf('stderr bad'));
  expect(log.at(-1)).toBe('exit 1');
  const worse = setUp(() => {
    throw new Error('again');
  });
  worse.process.emit('unhandledRejection', 'x');
  expect(worse.log.slice(-2)).toEqual(['stderr internal error', 'exit 1']);
});

test('while another program has the terminal, Ctrl-C reaches only that program, and Ctrl-Z stops both', async () => {
  const { log, process, restore } = setUp();
  const result = await restore.whileAway(async () => {
    process.emit('SIGCONT');
    expect(process.listenerCount('SIGTSTP')).toBe(0);
    process.emit('SIGINT');
    process.emit('SIGQUIT');
    log.push('editor');
    return 7;
  });
  expect(result).toBe(7);
  expect(log).toEqual(['leave', 'stop', 'editor', 'start', 'enter', 'kill 42 SIGWINCH']);
  await expect(restore.whileAway(() => Promise.reject(new Error('no editor')))).rejects.toThrow('no editor');
  expect(log.slice(-3)).toEqual(['start', 'enter', 'kill 42 SIGWINCH']);
  expect(process.listenerCount('SIGTSTP')).toBe(1);
});

test('suspend stops the whole job by the default action, and SIGCONT resumes it once', async () => {
  const { log, process, restore } = setUp();
  restore.suspend();
  expect(process.listenerCount('SIGTSTP')).toBe(0);
  restore.suspend();
  process.emit('SIGCONT');
  process.emit('SIGCONT');
  await turn();
  expect(log).toEqual(['save', 'leave', 'stop', 'kill 0 SIGTSTP', 'start', 'enter', 'kill 42 SIGWINCH']);
  expect(process.listenerCount('SIGTSTP')).toBe(1);
  restore.uninstall();
  expect(process.eventNames()).toEqual([]);
});

test('a stopped job that is ended saves, leaves the terminal alone and dies of the signal', async () => {
  const { log, process, restore } = setUp();
  restore.suspend();
  process.emit('SIGCONT');
  // Another thread of the process takes the signal that was sent first, and is later.
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
  process.emit('SIGTERM');
  await turn();
  expect(log).toEqual(['save', 'leave', 'stop', 'kill 0 SIGTSTP', 'save', 'kill 42 SIGTERM']);
  expect(process.listenerCount('SIGTERM')).toBe(0);
});

test('the signal of Ctrl-Z from outside saves before it stops the program', () => {
  const { log, process } = setUp();
  process.emit('SIGTSTP');
  expect(log).toEqual(['save', 'leave', 'stop', 'kill 0 SIGTSTP']);
});

test('a program that could not be stopped says so, and one that was stopped and continued does not', async () => {
  const { log, process, restore } = setUp();
  const tell = () => void log.push('told');
  restore.suspendOr(tell);
  process.emit('SIGCONT');
  await turn();
  expect(log.at(-1)).toBe('kill 42 SIGWINCH');
  restore.suspendOr(tell);
  await vi.waitFor(() => expect(log.slice(-2)).toEqual(['kill 42 SIGWINCH', 'told']));
});

test('on Windows, which cannot stop a job, suspend does nothing', () => {
  const { log, restore } = setUp(undefined, 'win32');
  restore.suspend();
  expect(log).toEqual([]);
  restore.suspendOr(() => void log.push('told'));
  expect(log).toEqual(['told']);
});
