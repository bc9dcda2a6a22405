/** Questions on a terminal, with a keyboard and a screen that note what happens to them in order. */
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { terminalAsker } from '../../../src/cli/input/ask.ts';

function terminal() {
  const happened: string[] = [];
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => void happened.push(isRaw ? 'raw' : 'cooked'),
  });
  const given = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {};
  const { isTTY } = process.stderr;
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
  process.stderr.isTTY = true;
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => happened.push(String(text)) > 0);
  onTestFinished(() => {
    Object.defineProperty(process, 'stdin', given);
    process.stderr.isTTY = isTTY;
    write.mockRestore();
  });
  return { stdin, happened };
}

test('typed characters are not echoed from before the question for a secret, and the secret is not written', async () => {
  const { stdin, happened } = terminal();
  const answer = terminalAsker.secret('Token: ');
  expect(happened).toEqual(['raw', 'Token: ']);
  stdin.write('canary-0123456789\r');
  expect(await answer).toBe('canary-0123456789');
  expect(happened).toEqual(['raw', 'Token: ', 'cooked', '\n']);
});

test.each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
])('%s ends the question, and the command with 130', async (_, key) => {
  const { stdin, happened } = terminal();
  const answer = terminalAsker.line('Server: ');
  stdin.write(key);
  await expect(answer).rejects.toMatchObject({ code: 130, message: '' });
  expect(happened.slice(-2)).toEqual(['cooked', '\n']);
});
