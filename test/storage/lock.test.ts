import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { acquireSenderLock } from '../../src/storage/lock.ts';
import { temporaryDirectory } from './builders.ts';

test('the role does not depend on the note of who holds it', () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'sender.pid'));
  const answer = acquireSenderLock(directory);
  expect(acquireSenderLock(directory)).toEqual({ heldBy: null });
  if ('release' in answer) answer.release();
  expect(acquireSenderLock(directory)).toHaveProperty('release');
});
