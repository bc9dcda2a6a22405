import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { snippetPorts } from '../../../src/cli/chat/snippets.ts';

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'snippets-'));
  folder = join(root, 'snippets');
});
afterEach(() => rmSync(root, { recursive: true }));

const read = (name: string): Promise<{ readonly text?: string; readonly problem?: string }> =>
  new Promise((resolve) => snippetPorts(folder).readSnippet(name, resolve));
const save = (name: string, text: string): Promise<{ readonly said?: string; readonly problem?: string }> =>
  new Promise((resolve) => snippetPorts(folder).saveSnippet(name, text, resolve));

test('a saved snippet is read again, and is never overwritten', async () => {
  expect(await save('hello', 'Hello\n\tthere')).toEqual({ said: 'Saved: ;hello and Tab inserts it' });
  expect(await read('hello')).toEqual({ text: 'Hello\n\tthere' });
  expect(statSync(join(folder, 'hello.md')).mode & 0o777).toBe(0o600);
  expect((await save('hello', 'other')).problem).toMatch(/There is a snippet "hello" already/);
  expect(readFileSync(join(folder, 'hello.md'), 'utf8')).toBe('Hello\n\tthere\n');
});

test('no name leads to another folder, and no link to another file', async () => {
  mkdirSync(folder);
  writeFileSync(join(root, 'secret.md'), 'secret');
  symlinkSync(join(root, 'secret.md'), join(folder, 'link.md'));
  for (const name of ['../secret', 'a/b', '.hidden', '']) {
    expect(await read(name), name).toMatchObject({ problem: expect.any(String) });
    expect((await save(name, 'x')).problem, name).toMatch(/cannot be the name/);
  }
  expect(await read('link')).toMatchObject({ problem: expect.stringMatching(/leads out of its folder/) });
  symlinkSync('none.md', join(folder, 'lost.md'));
  expect((await read('lost')).problem).toMatch(/lost\.md is a link that leads nowhere$/);
});

test('control characters are removed; a large file and a folder are refused in one line', async () => {
  mkdirSync(join(folder, 'dir'), { recursive: true });
  writeFileSync(join(folder, 'esc.txt'), 'a\x1b[2Jb\r\n');
  writeFileSync(join(folder, 'big'), 'x'.repeat(64_001));
  expect(await read('esc')).toEqual({ text: 'a[2Jb' });
  expect(await read('big')).toMatchObject({ problem: expect.stringMatching(/is larger than 64 kB/) });
  expect(await read('dir')).toMatchObject({ problem: expect.stringMatching(/directory/) });
});

test('a file in another encoding is refused, so that no letter of it is sent as U+FFFD', async () => {
  mkdirSync(folder);
  writeFileSync(join(folder, 'latin.txt'), 'caf\xe9', 'latin1');
  expect((await read('latin')).problem).toMatch(/cannot be read: this is not UTF-8; save it as UTF-8$/);
});

test('for a snippet that does not exist, the likely names are suggested, else all, else where to write it', async () => {
  const problem = async (name: string) => (await read(name)).problem;
  expect(await problem('none')).toBe(`There is no snippet "none": write one into ${join(folder, 'none.md')}`);
  mkdirSync(join(folder, 'dir'), { recursive: true });
  for (const file of ['thanks.md', 'meet.txt', 'meeting', '.hidden']) writeFileSync(join(folder, file), 'x');
  expect(await problem('me')).toBe('There is no snippet "me"; there are meet, meeting');
  expect(await problem('none')).toBe('There is no snippet "none"; there are meet, meeting, thanks');
});
