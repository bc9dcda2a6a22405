import { mkdirSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemCause } from '../../src/config/errors.ts';
import { setDefaultProfile } from '../../src/config/profiles.ts';
import { saveInFile } from '../../src/config/token-store.ts';
import { temporaryDirectory } from '../storage/builders.ts';

test.each([
  ['ENOSPC', 'the disk is full; free some space (ENOSPC)'],
  ['EROFS', 'the file system is read-only; make it writable (EROFS)'],
  ['EACCES', 'you have no permission; check its owner and mode (EACCES)'],
  ['ELOOP', 'the symbolic link leads back to itself (ELOOP)'],
  ['EIO', 'EIO'],
])('%s has a cause in words', (code, words) => {
  expect(systemCause(Object.assign(new Error('write'), { code }))).toBe(words);
});

test('a quota that is used up has a cause in words, though Node has no name for it', () => {
  const { EDQUOT } = constants.errno;
  const error = Object.assign(new Error('write'), { errno: -EDQUOT, code: `Unknown system error -${EDQUOT}` });
  expect(systemCause(error)).toBe('the disk quota is used up; free some space (EDQUOT)');
});

test('any other error keeps its own text', () => {
  expect(systemCause(new Error('something else'))).toBe('something else');
});

test('the error about a file that cannot be written names the cause, and no part of a token', async () => {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, 'a-file'), '');
  const data = join(folder, 'a-file', 'below');
  const holder = { server: 'https://chat.example', profile: 'work' };
  expect(() => saveInFile({ paths: { data } }, holder, 'canary-0123456789')).toThrow(
    /credentials\.json: .*a part of its path is not a folder \(ENOTDIR\)$/,
  );
  mkdirSync(join(folder, 'config.toml'));
  await expect(setDefaultProfile(join(folder, 'config.toml'), 'work')).rejects.toThrow('config.toml');
});
