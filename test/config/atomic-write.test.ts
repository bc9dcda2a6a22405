/** Several programs that replace one file. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeAtomically } from '../../src/config/atomic-write.ts';
import { temporaryDirectory } from '../storage/builders.ts';

test.skipIf(process.platform === 'win32')('a file that another program replaces just now is replaced after it', () => {
  const directory = temporaryDirectory();
  const [file, lock] = [join(directory, 'a.toml'), join(directory, '.a.toml.lock')];
  writeFileSync(lock, '');
  spawn('/bin/sh', ['-c', 'sleep 0.2; echo other > "$0"; rm "$1"', file, lock]);
  const isNew = (): boolean => !existsSync(file);
  expect(writeAtomically(file, 'own\n', 0o600, isNew)).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe('other\n');
  expect(readdirSync(directory)).toEqual(['a.toml']);
});

test('the lock of a program that was killed holds nobody up', () => {
  const directory = temporaryDirectory();
  const lock = join(directory, '.a.toml.lock');
  writeFileSync(lock, '');
  utimesSync(lock, 0, 0);
  expect(writeAtomically(join(directory, 'a.toml'), 'own\n', 0o600, () => true)).toBe(true);
  expect(readdirSync(directory)).toEqual(['a.toml']);
});
