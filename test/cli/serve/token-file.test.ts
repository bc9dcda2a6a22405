/** What `serve token add --out` says when it cannot write the file, and what it leaves behind then. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { registerServe } from '../../../src/cli/serve/register.ts';

const folder = mkdtempSync(join(tmpdir(), 'serve-token-'));
const data = join(folder, 'chat.db');
const inFolder = (name: string): string => join(folder, name);

/** Runs a command in this process; resolves to what it printed. */
async function serve(...words: readonly string[]): Promise<string> {
  const written: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  const program = new Command().exitOverride();
  registerServe(program);
  await program.parseAsync(['serve', '--data', data, ...words], { from: 'user' });
  return written.join('');
}

beforeAll(async () => {
  await serve('user', 'add', 'ann');
  mkdirSync(inFolder('sub'));
  writeFileSync(inFolder('old'), 'kept');
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['old', 2, / exists; choose another name$/],
  ['sub', 2, / is a folder; name a file in it$/],
  ['none/ann', 1, /^serve: the token was not written to .*none\/ann: there is no such file or folder \(ENOENT\)$/],
  ['old/ann', 1, /: a part of its path is not a folder \(ENOTDIR\)$/],
])('a token is not written to %s', async (name, code, message) => {
  await expect(serve('token', 'add', 'ann', '--out', inFolder(name))).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
  });
  expect(await serve('token', 'list')).toBe('');
  expect(readFileSync(inFolder('old'), 'utf8')).toBe('kept');
});

test.runIf(existsSync('/dev/full'))('on a full disk no token is left in the database', async () => {
  vi.resetModules();
  // The modules that are loaded with the full disk must not serve the next test file.
  onTestFinished(() => void vi.resetModules());
  vi.doMock('node:fs', async (original) => {
    const fs = await original<typeof import('node:fs')>();
    const writeFileSync = (): never => {
      fs.writeFileSync('/dev/full', 'x');
      throw new Error('the disk is not full');
    };
    return { ...fs, writeFileSync };
  });
  const { registerServe: register } = await import('../../../src/cli/serve/register.ts');
  vi.doUnmock('node:fs');
  const program = new Command().exitOverride();
  register(program);
  const words = ['serve', '--data', data, 'token', 'add', 'ann', '--out', inFolder('full')];
  await expect(program.parseAsync(words, { from: 'user' })).rejects.toMatchObject({
    code: 1,
    message: expect.stringMatching(/: the disk is full; free some space \(ENOSPC\)$/),
  });
  expect(existsSync(inFolder('full'))).toBe(false);
  expect(await serve('token', 'list')).toBe('');
});

test('a wrong name leaves no file, and the right one writes it for its owner alone', async () => {
  const file = inFolder('ann');
  await expect(serve('token', 'add', 'amn', '--out', file)).rejects.toMatchObject({ code: 2 });
  expect(existsSync(file)).toBe(false);
  const id = await serve('token', 'add', 'ann', '--out', file);
  expect(await serve('token', 'list')).toContain(id.trim());
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
