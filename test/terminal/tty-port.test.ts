import { EventEmitter } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
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

test('a short write goes out at once unless the stream has something to say first', () => {
  const folder = mkdtempSync(join(tmpdir(), 'msg-tui-tty-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const fd = openSync(join(folder, 'out'), 'w');
  const streamed: unknown[] = [];
  const stream = {
    ...fakeStream(fd),
    on: () => undefined,
    writableLength: 0,
    write: (chunk: unknown) => streamed.push(chunk) > 0,
  };
  const tty = ttyOf(stream as unknown as Parameters<typeof ttyOf>[0]);
  tty.write('x');
  stream.writableLength = 3;
  tty.write('y');
  stream.writableLength = 0;
  tty.write('z'.repeat(10_000));
  closeSync(fd);
  expect(readFileSync(join(folder, 'out'), 'utf8')).toBe('x');
  expect(streamed).toEqual(['y', 'z'.repeat(10_000)]);
  tty.write('!');
  expect(String(streamed.at(-1))).toBe('!');
});

test('the synchronous write writes all of it and never throws', () => {
  const folder = mkdtempSync(join(tmpdir(), 'msg-tui-tty-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const fd = openSync(join(folder, 'out'), 'w');
  const tty = ttyOf(fakeStream(fd) as unknown as Parameters<typeof ttyOf>[0]);
  tty.writeSync('x'.repeat(100_000));
  closeSync(fd);
  expect(readFileSync(join(folder, 'out'), 'utf8')).toHaveLength(100_000);
  expect(() => tty.writeSync('to a closed file')).not.toThrow();
});
