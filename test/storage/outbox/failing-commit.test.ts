/** A COMMIT that fails in its last step: what the file has then is what the user is told. */
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { OutboxConnection } from '../../../src/storage/outbox/connection.ts';
import { openOutbox } from '../../../src/storage/outbox/open.ts';
import { StoredOutbox } from '../../../src/storage/outbox/outbox.ts';
import { openOutboxWithRole } from '../../../src/storage/outbox/role.ts';
import { senderOf } from '../../../src/storage/outbox/sender-lock.ts';
import { type Database, openDatabase } from '../../../src/storage/sqlite/driver.ts';
import { aDraft, anOp, temporaryDirectory } from '../builders.ts';

/** An outbox whose next COMMIT fails, as that of a disk which fails at the last write of the journal or at the first. */
function outboxOn(directory: string) {
  openOutbox(directory).close();
  const database = openDatabase(join(directory, 'outbox.db'));
  let failing: 'done' | 'undone' | null = null;
  const exec = (sql: string): void => {
    const isFailing = sql === 'COMMIT' && failing !== null;
    if (!isFailing || failing === 'done') database.exec(sql);
    if (!isFailing) return;
    failing = null;
    throw new Error('disk I/O error');
  };
  const failingDatabase = { prepare: (sql: string) => database.prepare(sql), exec, close: () => database.close() };
  const file = { database: failingDatabase as Database, assertInPlace: () => undefined, salvaged: null };
  const outbox = new StoredOutbox(new OutboxConnection(file), 'sender', Date.now);
  const failNext = (how: 'done' | 'undone'): void => {
    failing = how;
  };
  return { outbox, failNext };
}

test('a message that is in the file is accepted although the COMMIT failed', () => {
  const { outbox, failNext } = outboxOn(temporaryDirectory());
  outbox.saveRecords([['drafts', 'c1', aDraft('Hi Ann')]]);
  failNext('done');
  const op = outbox.enqueue(anOp({ uuid: 'a' }), 'c1');
  expect(outbox.load()).toMatchObject({ outbox: [op], drafts: new Map() });
  outbox.close();
});

test('a message that is not in the file is refused, and its text stays in the draft', () => {
  const { outbox, failNext } = outboxOn(temporaryDirectory());
  outbox.saveRecords([['drafts', 'c1', aDraft('Hi Ann')]]);
  failNext('undone');
  expect(() => outbox.enqueue(anOp({ uuid: 'a' }), 'c1')).toThrow('disk I/O error');
  expect(outbox.load().outbox).toEqual([]);
  expect(outbox.load().drafts.get('c1')?.text).toBe('Hi Ann');
  outbox.close();
});

test('text that was taken back into the composer stays there if the file says so', () => {
  const { outbox, failNext } = outboxOn(temporaryDirectory());
  outbox.enqueue(anOp({ uuid: 'a' }), null);
  const into = { conversationId: 'c1', draft: aDraft('Hi Ann') };
  failNext('undone');
  expect(() => outbox.withdraw('a', into, () => true)).toThrow('disk I/O error');
  expect(outbox.load().outbox).toHaveLength(1);
  failNext('done');
  expect(outbox.withdraw('a', into, () => true)).toBe(true);
  expect(outbox.load().outbox).toEqual([]);
  expect(outbox.load().drafts.get('c1')?.text).toBe('Hi Ann');
  outbox.close();
});

test('the sender role is given back if the file cannot be closed', () => {
  const directory = temporaryDirectory();
  const profile = openOutboxWithRole(directory);
  const { close } = StoredOutbox.prototype;
  vi.spyOn(StoredOutbox.prototype, 'close').mockImplementationOnce(function (this: StoredOutbox) {
    close.call(this);
    throw new Error('disk I/O error');
  });
  expect(() => profile.close()).toThrow('disk I/O error');
  expect(senderOf(directory)).toBeNull();
});
