/** The sender role of a command: it begins without the role, and whoever looks can tell it from a chat. */
import { existsSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openOutboxWithRole } from '../../../src/storage/outbox/role.ts';
import { acquireSenderLock } from '../../../src/storage/outbox/sender-lock.ts';
import { anOp, temporaryDirectory } from '../builders.ts';

test('a command creates the file, and leaves the sender role to a chat that starts beside it', () => {
  const directory = temporaryDirectory();
  const command = openOutboxWithRole(directory, { isBrief: true });
  expect(existsSync(join(directory, 'outbox.db'))).toBe(true);
  expect(command.isSender).toBe(false);
  const chat = openOutboxWithRole(directory);
  expect(chat.isSender).toBe(true);
  expect(command.takeSenderRole()).toBe(false);
  expect(command.otherSender()).toEqual({ pid: process.pid, isStopped: false });
  chat.close();
  expect(command.takeSenderRole()).toBe(true);
  expect(command.otherSender()).toBeNull();
  command.close();
});

test('the process that has the role notes that it ends soon', () => {
  const directory = temporaryDirectory();
  openOutboxWithRole(directory).close();
  const lock = acquireSenderLock(directory, true);
  expect(acquireSenderLock(directory)).toEqual({ heldBy: process.pid, isBrief: true });
  const other = openOutboxWithRole(directory);
  expect(other.otherSender()).toEqual({ pid: process.pid, isStopped: false, isBrief: true });
  other.close();
  if ('release' in lock) lock.release();
});

test('a command repairs a damaged file, as a chat does, and gives the role back', () => {
  const directory = temporaryDirectory();
  const first = openOutboxWithRole(directory);
  first.outbox.enqueue(anOp(), null);
  first.close();
  truncateSync(join(directory, 'outbox.db'), 3_000);
  const command = openOutboxWithRole(directory, { isBrief: true });
  expect(command.troubles.join()).toMatch(/^The outbox was damaged/);
  const lock = acquireSenderLock(directory);
  expect(lock).toHaveProperty('release');
  if ('release' in lock) lock.release();
  command.close();
});
