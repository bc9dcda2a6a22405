import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { Input, type StdinPort } from '../../src/terminal/input.ts';

function fakeStdin() {
  const stream = new PassThrough();
  const raw: boolean[] = [];
  const stdin = Object.assign(stream, { setRawMode: (isRaw: boolean) => raw.push(isRaw) }) as unknown as StdinPort &
    PassThrough;
  return { stdin, raw };
}

test('keys typed before there is a listener are passed on in order', async () => {
  const { stdin, raw } = fakeStdin();
  const input = new Input({ stdin });
  input.start();
  stdin.write('ab\r');
  const seen: string[] = [];
  await vi.waitFor(() => expect(stdin.readableLength).toBe(0));
  input.attach((event) => void seen.push(event.type === 'key' ? event.key : ''));
  stdin.write('c');
  await vi.waitFor(() => expect(seen).toEqual(['a', 'b', 'enter', 'c']));
  input.stop();
  input.stop();
  expect(raw).toEqual([true, false]);
});

test('the end of keyboard input is reported, except after the program itself stopped reading', async () => {
  const { stdin } = fakeStdin();
  const hangups: string[] = [];
  const input = new Input({ stdin, onHangup: () => hangups.push('gone') });
  input.start();
  stdin.end();
  await vi.waitFor(() => expect(hangups.length).toBeGreaterThan(0));
  input.stop();
  const before = hangups.length;
  stdin.destroy();
  await new Promise(setImmediate);
  expect(hangups).toHaveLength(before);
});
