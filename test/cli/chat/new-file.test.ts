import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeNewFile } from '../../../src/cli/chat/new-file.ts';
import { temporaryDirectory } from '../../storage/builders.ts';

test('only the owner can read the new file, and a file that exists is not replaced', () => {
  const path = join(temporaryDirectory(), 'a.md');
  writeNewFile(path, 'one');
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['one', 0o600]);
  expect(() => writeNewFile(path, 'two')).toThrow(expect.objectContaining({ code: 'EEXIST' }));
  expect(readFileSync(path, 'utf8')).toBe('one');
});

test.runIf(spawnSync('prlimit', ['--version']).status === 0)('nothing is left where the disk is full', () => {
  const path = join(temporaryDirectory(), 'a.md');
  const limit = (bytes: number | 'unlimited'): void =>
    void execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:unlimited`]);
  const ignore = (): void => undefined;
  process.on('SIGXFSZ', ignore);
  onTestFinished(() => void process.off('SIGXFSZ', ignore));
  limit(1000);
  try {
    expect(() => writeNewFile(path, 'x'.repeat(5000))).toThrow(expect.objectContaining({ code: 'EFBIG' }));
  } finally {
    limit('unlimited');
  }
  expect(existsSync(path)).toBe(false);
});
