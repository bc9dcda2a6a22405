/** Whose server on this machine an account trusts. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { trustedOwner } from '../../src/config/server-owner.ts';
import { temporaryDirectory } from './files.ts';

test('the first owner is remembered; root and the user are always trusted, nobody else is', () => {
  const directory = join(temporaryDirectory(), 'profile');
  const first = trustedOwner(directory);
  expect([first(4711), first(4712), first(0), first(process.getuid?.() ?? 0)]).toEqual([true, false, true, true]);
  const next = trustedOwner(directory);
  expect([next(4712), next(4711)]).toEqual([false, true]);
});

test('a check without remembering writes nothing', () => {
  const directory = temporaryDirectory();
  expect(trustedOwner(directory, { looksOnly: true })(4711)).toBe(true);
  expect(readdirSync(directory)).toEqual([]);
});
