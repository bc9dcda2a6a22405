import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runEditor } from '../../../src/cli/input/external-editor.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'editor-test-'));
  vi.stubEnv('TMPDIR', directory);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true });
});

/** A program that gets the file as its last argument. */
function editor(...lines: string[]): string {
  const path = join(directory, 'my editor.sh');
  writeFileSync(path, ['#!/bin/sh', 'for file; do :; done', ...lines, ''].join('\n'), { mode: 0o755 });
  return `'${path}'`;
}

const left = (): string[] => readdirSync(directory).filter((name) => name.startsWith('msg-tui-'));

test('the text comes back as the editor saved it, and nothing is left on disk', async () => {
  expect(await runEditor('one', editor('printf "two\\tthree\\033[2J\\n" >> "$file"'))).toEqual({
    text: 'onetwo\tthree[2J',
  });
  expect(left()).toEqual([]);
});

test('arguments of the command line are passed to the editor', async () => {
  const saved = await runEditor('', `${editor('printf "%s" "$1|$2" > "$file"')} --wait 'a b'`);
  expect(saved).toEqual({ text: '--wait|a b' });
});

test('nobody else can read the file while it is edited', async () => {
  const note = join(directory, 'modes');
  await runEditor('x', editor(`dirname "$file" > '${note}'; stat -c '%a' "$file" "$(dirname "$file")" >> '${note}'`));
  const [place = '', ...modes] = readFileSync(note, 'utf8').trim().split('\n');
  expect(modes).toEqual(['600', '700']);
  expect(existsSync(place)).toBe(false);
});

test('an editor that fails, is missing or removes the file changes nothing, and the reason is reported', async () => {
  expect(await runEditor('one', editor('echo lost > "$file"; exit 3'))).toMatchObject({
    problem: expect.stringMatching(/ended with code 3\. What you wrote before is unchanged/),
    saved: 'lost',
  });
  expect(await runEditor('one', editor('exit 3'))).toMatchObject({ saved: null });
  expect(await runEditor('one', 'no-such-editor-at-all')).toMatchObject({
    problem: expect.stringMatching(/There is no editor "no-such-editor-at-all": set VISUAL or EDITOR/),
  });
  expect(await runEditor('one', editor('rm "$file"'))).toMatchObject({ problem: expect.stringContaining('unchanged') });
  expect(left()).toEqual([]);
});

test('a file that is too large to be read is kept, and the reason says where', async () => {
  const edited = await runEditor('one', editor('head -c 5000000 /dev/zero > "$file"'));
  const problem = 'problem' in edited ? edited.problem : '';
  const [, kept = ''] = /^What the editor saved cannot be read: .* 4 MB\. It is kept in (.*)\.$/.exec(problem) ?? [];
  expect(existsSync(kept)).toBe(true);
});

test('Ctrl-C, which the terminal sends to all three processes, reaches only the editor', async () => {
  const before = process.listenerCount('SIGINT');
  const running = runEditor('one', editor('trap : INT', 'kill -INT $PPID', 'kill -INT $$', 'echo two >> "$file"'));
  expect(process.listenerCount('SIGINT')).toBe(before + 1);
  expect(await running).toEqual({ text: 'onetwo' });
  expect(process.listenerCount('SIGINT')).toBe(before);
});

test('a newline that the editor adds at the end does not become part of the message', async () => {
  expect(await runEditor('a', editor('echo >> "$file"'))).toEqual({ text: 'a' });
  expect(await runEditor('a\n', editor('true'))).toEqual({ text: 'a\n' });
});

test('what was saved can be read while the editor runs, but not a file that is being written', async () => {
  const step = join(directory, 'step');
  const until = (count: number) => `while [ ! -e '${step}${count}' ]; do sleep 0.02; done`;
  const lines = [until(0), 'echo two >> "$file"', until(1), ': > "$file"', until(2)];
  let saved: () => string | null = () => 'not started';
  const onStart = (read: typeof saved): void => {
    saved = read;
  };
  const running = runEditor('one', editor(...lines), { onStart });
  expect(saved()).toBeNull();
  writeFileSync(`${step}0`, '');
  await vi.waitFor(() => expect(saved()).toBe('onetwo'), 30_000);
  writeFileSync(`${step}1`, '');
  await vi.waitFor(() => expect(saved()).toBeNull(), 30_000);
  writeFileSync(`${step}2`, '');
  expect(await running).toEqual({ text: '' });
  expect(saved()).toBeNull();
});
