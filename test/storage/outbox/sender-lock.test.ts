import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { acquireSenderLock } from '../../../src/storage/outbox/sender-lock.ts';
import { temporaryDirectory } from '../builders.ts';

test('the sender role does not depend on the note of who has it', () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'sender.pid'));
  const answer = acquireSenderLock(directory);
  expect(acquireSenderLock(directory)).toEqual({ heldBy: null });
  if ('release' in answer) answer.release();
  expect(acquireSenderLock(directory)).toHaveProperty('release');
});

test('rubbish that a failing disk has put into the lock file does not keep the role from any program', () => {
  const directory = temporaryDirectory();
  const file = join(directory, 'sender.lock');
  writeFileSync(file, 'no database, and longer than the header of one '.repeat(100));
  const { ino } = statSync(file);
  const answer = acquireSenderLock(directory);
  expect(answer).toHaveProperty('release');
  expect(acquireSenderLock(directory)).toEqual({ heldBy: process.pid });
  expect(statSync(file)).toMatchObject({ ino, size: 0 });
  if ('release' in answer) answer.release();
});

test.each(['0x1f', '1e3', '-4', '0', ' 12', '12 34', '1234\u001b[2J', '9'.repeat(4_000), ''])(
  'a note that is not a process id (%j) names no sender',
  (text) => {
    const directory = temporaryDirectory();
    const answer = acquireSenderLock(directory);
    writeFileSync(join(directory, 'sender.pid'), text);
    expect(acquireSenderLock(directory)).toEqual({ heldBy: null });
    if ('release' in answer) answer.release();
  },
);
