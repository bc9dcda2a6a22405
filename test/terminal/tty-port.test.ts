import { spawnSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ttyOf } from '../../src/terminal/tty-port.ts';

function fakeStream(fd = -1) {
  return Object.assign(new EventEmitter(), { columns: 0, rows: 0, fd, write: () => true });
}

test('EPIPE and EIO are a hang-up, anything else is a fault', () => {
  const stream = fakeStream();
  const tty = ttyOf(stream as unknown as Parameters<typeof ttyOf>[0]);
  let hangups = 0;
  const stop = tty.on('hangup', () => hangups++);
  stream.emit('error', Object.assign(new Error('gone'), { code: 'EPIPE' }));
  stream.emit('error', Object.assign(new Error('gone'), { code: 'EIO' }));
  expect(hangups).toBe(2);
  stop();
  stream.emit('error', Object.assign(new Error('gone'), { code: 'EIO' }));
  expect(hangups).toBe(2);
  expect(() => stream.emit('error', new Error('other'))).toThrow('other');
});

test('a terminal that says it is 0×0 is 80×24', () => {
  const tty = ttyOf(fakeStream() as unknown as Parameters<typeof ttyOf>[0]);
  expect([tty.columns, tty.rows]).toEqual([80, 24]);
});

test('of a terminal that says it is 65535×65535 a part is used', () => {
  const stream = { ...fakeStream(), on: () => undefined, columns: 65_535, rows: 65_535 };
  const tty = ttyOf(stream as unknown as Parameters<typeof ttyOf>[0]);
  expect([tty.columns, tty.rows]).toEqual([2_000, 600]);
});

/** A stream over `fd`, and what was given to it. */
function ttyOn(fd: number) {
  const streamed: string[] = [];
  const write = (chunk: unknown): boolean => streamed.push(String(chunk)) > 0;
  const stream = { ...fakeStream(fd), on: () => undefined, writableLength: 0, write };
  return { stream, streamed, tty: ttyOf(stream as unknown as Parameters<typeof ttyOf>[0]) };
}

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'msg-tui-tty-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('a write goes out at once unless the stream has something to say first', () => {
  const file = join(scratch(), 'out');
  const fd = openSync(file, 'w');
  const { stream, streamed, tty } = ttyOn(fd);
  tty.write('x');
  stream.writableLength = 3;
  tty.write('y');
  stream.writableLength = 0;
  tty.write('z'.repeat(10_000));
  closeSync(fd);
  expect(readFileSync(file, 'utf8')).toBe(`x${'z'.repeat(10_000)}`);
  expect(streamed).toEqual(['y']);
  tty.write('!');
  expect(streamed.at(-1)).toBe('!');
});

test('what a terminal does not take is left to the stream, and nothing else', () => {
  const file = join(scratch(), 'fifo');
  spawnSync('mkfifo', [file]);
  const fd = openSync(file, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(fd));
  const { streamed, tty } = ttyOn(fd);
  const frame = Array.from({ length: 20_000 }, (_, i) => String(i)).join(' ');
  tty.write(frame);
  const taken = Buffer.alloc(frame.length);
  const length = readSync(fd, taken);
  expect(length).toBeGreaterThan(4_000);
  expect(length).toBeLessThan(frame.length);
  expect(taken.toString('utf8', 0, length) + streamed.join('')).toBe(frame);
});

test('the synchronous write writes all of it and never throws', () => {
  const file = join(scratch(), 'out');
  const fd = openSync(file, 'w');
  const tty = ttyOf(fakeStream(fd) as unknown as Parameters<typeof ttyOf>[0]);
  tty.writeSync('x'.repeat(100_000));
  closeSync(fd);
  expect(readFileSync(file, 'utf8')).toHaveLength(100_000);
  expect(() => tty.writeSync('to a closed file')).not.toThrow();
});
