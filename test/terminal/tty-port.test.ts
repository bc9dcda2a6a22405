import { spawn, spawnSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { StreamTty } from '../../src/terminal/tty-port.ts';

function fakeStream(fd = -1) {
  return Object.assign(new EventEmitter(), { columns: 0, rows: 0, fd, write: () => true });
}

test('EPIPE and EIO are a hang-up, any other error is thrown', () => {
  const stream = fakeStream();
  const tty = new StreamTty(stream as unknown as ConstructorParameters<typeof StreamTty>[0]);
  let hangups = 0;
  tty.on('hangup', () => hangups++);
  stream.emit('error', Object.assign(new Error('gone'), { code: 'EPIPE' }));
  stream.emit('error', Object.assign(new Error('gone'), { code: 'EIO' }));
  expect(hangups).toBe(2);
  expect(() => stream.emit('error', new Error('other'))).toThrow('other');
});

test('a terminal that reports 0×0 counts as 80×24', () => {
  const tty = new StreamTty(fakeStream() as unknown as ConstructorParameters<typeof StreamTty>[0]);
  expect([tty.columns, tty.rows]).toEqual([80, 24]);
});

test('of a terminal that reports 65535×65535 a part is used', () => {
  const stream = { ...fakeStream(), on: () => undefined, columns: 65_535, rows: 65_535 };
  const tty = new StreamTty(stream as unknown as ConstructorParameters<typeof StreamTty>[0]);
  expect([tty.columns, tty.rows]).toEqual([2_000, 600]);
});

/** A stream over `fd`, and what was given to it. */
function ttyOn(fd: number) {
  const streamed: string[] = [];
  const write = (chunk: unknown): boolean => streamed.push(String(chunk)) > 0;
  const stream = { ...fakeStream(fd), on: () => undefined, writableLength: 0, write };
  return { stream, streamed, tty: new StreamTty(stream as unknown as ConstructorParameters<typeof StreamTty>[0]) };
}

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'msg-tui-tty-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('a write goes out at once unless the stream has earlier output waiting', () => {
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

/** A terminal that nobody reads yet, and a frame too long for it. */
function behind() {
  const file = join(scratch(), 'fifo');
  spawnSync('mkfifo', [file]);
  const fd = openSync(file, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(fd));
  const frame = Array.from({ length: 40_000 }, (_, i) => String(i)).join(' ');
  const read = (): string => {
    const bytes = Buffer.alloc(frame.length * 2);
    try {
      return bytes.toString('utf8', 0, readSync(fd, bytes));
    } catch {
      return '';
    }
  };
  return { ...ttyOn(fd), file, frame, read };
}

test('output that a terminal does not accept is written when it reads again, and then more may come', async () => {
  const { streamed, tty, frame, read } = behind();
  let drains = 0;
  tty.on('drain', () => drains++);
  expect(tty.write(frame)).toBe(false);
  expect(tty.write(' and this')).toBe(false);
  const first = read();
  expect(first.length).toBeGreaterThan(4_000);
  expect(first.length).toBeLessThan(frame.length);
  expect(drains).toBe(0);
  let seen = first;
  await vi.waitFor(() => {
    seen += read();
    expect(seen.length).toBe(frame.length + 9);
  });
  expect(seen).toBe(`${frame} and this`);
  await vi.waitFor(() => expect(drains).toBe(1));
  expect(tty.write('!')).toBe(true);
  expect(streamed).toEqual([]);
});

test('nothing of a frame is written after the last line', async () => {
  const { streamed, tty, frame, read } = behind();
  expect(tty.write(frame)).toBe(false);
  read();
  tty.writeSync('the end');
  await new Promise((resolve) => setTimeout(resolve, 120));
  expect(read()).toMatch(/the end$/);
  expect(read()).toBe('');
  expect(streamed).toEqual([]);
});

test('a terminal that reads again after some seconds is restored, without the rest of the frame', async () => {
  const { tty, file, frame } = behind();
  const out = `${file}.out`;
  tty.write(frame);
  // This process is blocked meanwhile.
  const reader = spawn('sh', [
    '-c',
    `sleep 2.5; dd if='${file}' of='${out}' bs=1M count=1 2>/dev/null; exec cat '${file}' >> '${out}'`,
  ]);
  tty.writeSync('\x1b[?1049l');
  await vi.waitFor(() => expect(readFileSync(out, 'utf8')).toMatch(/\x1b\[\?1049l$/));
  expect(readFileSync(out, 'utf8').length).toBeLessThan(frame.length);
  reader.kill('SIGKILL');
});

test('a terminal that never reads again is given up after some more seconds', () => {
  const { tty, frame } = behind();
  tty.write(frame);
  const from = performance.now();
  tty.writeSync('the end');
  expect(performance.now() - from).toBeGreaterThan(4_000);
  expect(performance.now() - from).toBeLessThan(30_000);
});

test('the synchronous write writes everything and never throws', () => {
  const file = join(scratch(), 'out');
  const fd = openSync(file, 'w');
  const tty = new StreamTty(fakeStream(fd) as unknown as ConstructorParameters<typeof StreamTty>[0]);
  tty.writeSync('x'.repeat(100_000));
  closeSync(fd);
  expect(readFileSync(file, 'utf8')).toHaveLength(100_000);
  expect(() => tty.writeSync('to a closed file')).not.toThrow();
});
