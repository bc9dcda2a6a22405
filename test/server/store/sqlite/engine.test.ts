import { constants } from 'node:os';
import { expect, test } from 'vitest';
import { sendTogether } from '../../../../src/server/store/sql.ts';
import { openSqlite } from '../../../../src/server/store/sqlite/engine.ts';
import { openDatabase } from '../../../../src/storage/sqlite/driver.ts';

const full = () => new Error('database or disk is full');

/** What SQLite says of a write for which it gets no room, or of a flush that fails. */
const refused = (sqliteExtendedCode: number, systemErrno: number) => () =>
  Object.assign(new Error('disk I/O error'), { errcode: 10, sqliteExtendedCode, systemErrno });

/** A database whose disk is full as long as `isFull`: the transaction is then over by itself. */
function fillingDatabase(error = full) {
  const database = openDatabase(':memory:');
  const disk = { isFull: false };
  const exec = (sql: string): void => {
    const isRefused = disk.isFull && sql === 'COMMIT';
    database.exec(isRefused ? 'ROLLBACK' : sql);
    if (isRefused) throw error();
  };
  return { disk, database: { exec, prepare: database.prepare.bind(database), close: () => database.close() } };
}

const insert = 'INSERT INTO chat_groups (id, name, created_at) VALUES (?, ?, 0)';
const groups = 'SELECT id FROM chat_groups ORDER BY seq';

test('the error is reported if the database has rolled back by itself, and the next transaction can begin', async () => {
  const { disk, database } = fillingDatabase();
  const engine = openSqlite(database);
  disk.isFull = true;
  const add = (id: string) => engine.transaction((sql) => sql.run(insert, id, id));
  await expect(add('a')).rejects.toThrow('the disk of the data file is full');
  await expect(add('b')).rejects.toThrow('the disk of the data file is full');
  disk.isFull = false;
  await add('c');
  expect(await engine.sql.all(groups)).toMatchObject([{ id: 'c' }]);
  await engine.close();
});

test.each([
  ['no room for the index of the log', refused(4874, constants.errno.ENOSPC), 'the disk of the data file is full'],
  ['a quota', refused(778, constants.errno.EDQUOT), 'the disk of the data file is full'],
  ['a limit of the size of files', refused(778, constants.errno.EFBIG), 'the disk of the data file is full'],
  ['a flush, after which the change may be on the disk', refused(1034, constants.errno.ENOSPC), 'disk I/O error'],
  ['a disk that fails', refused(778, constants.errno.EIO), 'disk I/O error'],
])('%s is distinguished from a failure', async (_, error, message) => {
  const { disk, database } = fillingDatabase(error);
  const engine = openSqlite(database);
  disk.isFull = true;
  await expect(engine.transaction((sql) => sql.run(insert, 'a', 'a'))).rejects.toThrow(message);
  await engine.close();
});

test('a reader sees nothing of a transaction before it is committed, and nothing of one that failed', async () => {
  const engine = openSqlite(openDatabase(':memory:'));
  let read: Promise<unknown[]> = Promise.resolve([]);
  const failed = engine.transaction(async (sql) => {
    await sql.run(insert, 'a', 'a');
    read = engine.sql.all(groups);
    await new Promise((resolve) => void setTimeout(resolve, 5));
    throw new Error('refused');
  });
  await expect(failed).rejects.toThrow('refused');
  expect(await read).toEqual([]);
  await engine.close();
});

test('a change is announced to those who can see it after the commit, and not after a failure', async () => {
  const engine = openSqlite(openDatabase(':memory:'));
  const seen: unknown[] = [];
  engine.onChange((people) => void seen.push(people));
  await engine.transaction(async (sql) => {
    await engine.announce(sql, [1, 2]);
    await engine.announce(sql, [2, 3]);
    expect(seen).toEqual([]);
  });
  const failed = engine.transaction(async (sql) => {
    await engine.announce(sql, [4]);
    throw new Error('refused');
  });
  await expect(failed).rejects.toThrow('refused');
  expect(seen).toEqual([[1, 2, 3]]);
  await engine.close();
});

test('the last statements need not be awaited, and one that fails rolls its whole transaction back', async () => {
  const engine = openSqlite(openDatabase(':memory:'));
  const add = (...ids: readonly string[]) =>
    engine.transaction(async (sql) => sendTogether(...ids.map((id) => sql.run(insert, id, id))));
  await add('a', 'b');
  await expect(add('c', 'a', 'd')).rejects.toThrow(/UNIQUE/);
  expect(await engine.sql.all(groups)).toMatchObject([{ id: 'a' }, { id: 'b' }]);
  await engine.close();
});
