import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Input, type StdinPort } from '../../src/terminal/input.ts';
import { PromptStdin } from '../../src/terminal/prompt-stdin.ts';

function fakeStdin() {
  const stream = new PassThrough();
  const raw: boolean[] = [];
  const stdin = Object.assign(stream, { setRawMode: (isRaw: boolean) => raw.push(isRaw) }) as unknown as StdinPort &
    PassThrough;
  return { stdin, raw };
}

test('keys typed before anyone listens are handed over in order', async () => {
  const { stdin, raw } = fakeStdin();
  const input = new Input({ stdin });
  input.start();
  stdin.write('ab\r');
  const seen: string[] = [];
  await vi.waitFor(() => expect(stdin.readableLength).toBe(0));
  input.attach((event) => seen.push(event.type === 'key' ? event.key : '') > 0);
  stdin.write('c');
  await vi.waitFor(() => expect(seen).toEqual(['a', 'b', 'enter', 'c']));
  input.stop();
  input.stop();
  expect(raw).toEqual([true, false]);
});

test('a prompt gets what the handler leaves', async () => {
  const { stdin } = fakeStdin();
  const input = new Input({ stdin });
  const prompt = new PromptStdin();
  const forwarded: (string | null)[] = [];
  prompt.on('readable', () => forwarded.push(prompt.read()));
  input.start();
  input.attach((event) => event.type === 'key' && event.key === 'escape');
  stdin.write('n');
  await vi.waitFor(() => expect(stdin.readableLength).toBe(0));
  input.forwardTo(prompt);
  stdin.write('\x1b[27uyes\x01\x1b[3~');
  await vi.waitFor(() => expect(forwarded).toEqual(['yes', '\x1b[3~']));
  input.forwardTo(null);
  stdin.write('z');
  await vi.waitFor(() => expect(stdin.readableLength).toBe(0));
  expect(forwarded).toHaveLength(2);
});

test('a command in the same chunk as typing waits until the field has the whole of it', async () => {
  const { stdin } = fakeStdin();
  const input = new Input({ stdin });
  const prompt = new PromptStdin();
  const seen: (string | null)[] = [];
  prompt.on('readable', () => seen.push(prompt.read()));
  input.start();
  input.forwardTo(prompt);
  input.attach((event) => {
    const isCommand = event.type === 'key' && event.key === 'enter';
    if (isCommand) seen.push('<enter>');
    return isCommand;
  });
  stdin.write('name\rnext\r');
  await vi.waitFor(() => expect(seen).toEqual(['n', 'ame', '<enter>', 'next', '<enter>']));
  input.stop();
});

test('what is typed for a field that is not drawn yet waits for it, and a field that never comes blocks nothing', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { stdin } = fakeStdin();
  const input = new Input({ stdin });
  const prompt = new PromptStdin();
  const seen: (string | null)[] = [];
  const commands: string[] = [];
  input.start();
  input.forwardTo(prompt);
  input.attach((event) => {
    const isCommand = event.type === 'key' && event.text === '';
    if (isCommand) commands.push(event.key);
    return isCommand;
  });
  stdin.write('\x0ename\r');
  await vi.waitFor(() => expect(commands).toEqual(['ctrl+n']));
  const field = (): void => void seen.push(prompt.read());
  prompt.on('readable', field);
  await vi.waitFor(() => expect(commands).toEqual(['ctrl+n', 'enter']));
  expect(seen.join('')).toBe('name');
  prompt.off('readable', field);
  stdin.write('lost\x11');
  await vi.waitFor(() => expect(prompt.isBusy).toBe(true));
  vi.advanceTimersByTime(2000);
  await vi.waitFor(() => expect(commands).toEqual(['ctrl+n', 'enter', 'ctrl+q']));
  prompt.on('readable', field);
  await new Promise(setImmediate);
  expect(seen.join('')).toBe('name');
  input.stop();
});

test('the end of the keyboard is told, but not when we have stopped reading ourselves', async () => {
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
