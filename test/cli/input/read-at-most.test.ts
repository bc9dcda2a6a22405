/** Files that a command names: whole ones, and those with more bytes than the command takes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readAtMost } from '../../../src/cli/input/read-at-most.ts';
import { temporaryDirectory } from '../../storage/builders.ts';

test('a file of the size that is taken is read whole, and a larger one is refused', () => {
  const file = join(temporaryDirectory(), 'file');
  const bytes = Buffer.alloc(100_000, 'ab');
  writeFileSync(file, bytes);
  expect(readAtMost(file, 100_000)?.equals(bytes)).toBe(true);
  expect(readAtMost(file, 99_999)).toBe(null);
});

test.skipIf(process.platform === 'win32')('a file without an end is refused', () => {
  expect(readAtMost('/dev/zero', 200_000)).toBe(null);
});
