import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCache } from '../../../src/storage/cache/open.ts';
import { openOutbox } from '../../../src/storage/outbox/open.ts';
import { type Database, openDatabase } from '../../../src/storage/sqlite/driver.ts';
import { migrate } from '../../../src/storage/sqlite/migrate.ts';
import { aDraft, aMessage, temporaryDirectory } from '../builders.ts';

const version = (path: string) => {
  const database = openDatabase(path);
  const found = database.prepare('PRAGMA user_version').get()?.user_version;
  database.close();
  return found;
};

test('each step is done once, and a copy of the old file is kept', () => {
  const path = join(temporaryDirectory(), 'x.db');
  const steps = ['CREATE TABLE t (a)', 'ALTER TABLE t ADD COLUMN b DEFAULT 7'];
  const database = openDatabase(path);
  migrate(database, steps.slice(0, 1), path);
  database.exec("INSERT INTO t VALUES ('words')");
  expect(existsSync(`${path}.v1`)).toBe(false);
  migrate(database, steps, path);
  migrate(database, steps, path);
  expect({ ...database.prepare('SELECT * FROM t').get() }).toEqual({ a: 'words', b: 7 });
  const copy = openDatabase(`${path}.v1`);
  expect({ ...copy.prepare('SELECT * FROM t').get() }).toEqual({ a: 'words' });
  expect(statSync(`${path}.v1`).mode & 0o777).toBe(0o600);
  copy.close();
  database.close();
});

test('of two programs at once, the copy of the faster one is kept', () => {
  const path = join(temporaryDirectory(), "it's.db");
  const steps = ['CREATE TABLE t (a)', 'ALTER TABLE t ADD COLUMN b DEFAULT 7'];
  const faster = openDatabase(path);
  migrate(faster, steps.slice(0, 1), path);
  faster.exec("PRAGMA journal_mode = WAL; INSERT INTO t VALUES ('words')");
  const slower = openDatabase(path);
  // It has looked at the version when the other one begins, and ends.
  let calls = 0;
  const outrun = (): Database => {
    if (calls++ === 1) migrate(faster, steps, path);
    return slower;
  };
  const database: Database = {
    exec: (sql) => outrun().exec(sql),
    prepare: (sql) => outrun().prepare(sql),
    close: () => slower.close(),
  };
  migrate(database, steps, path);
  expect(version(path)).toBe(2);
  expect(version(`${path}.v1`)).toBe(1);
  faster.close();
  slower.close();
});

test('a step that fails leaves the old version unchanged', () => {
  const path = join(temporaryDirectory(), 'x.db');
  const database = openDatabase(path);
  migrate(database, ['CREATE TABLE t (a)'], null);
  expect(() => migrate(database, ['', 'CREATE TABLE u (a)', 'nonsense'], null)).toThrow();
  expect(database.prepare('PRAGMA user_version').get()?.user_version).toBe(1);
  expect(database.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'u'").get()?.n).toBe(0);
  database.close();
});

test('an outbox of a later version is refused and not changed', () => {
  const directory = temporaryDirectory();
  const path = join(directory, 'outbox.db');
  const outbox = openOutbox(directory);
  outbox.saveRecords([['drafts', 'c1', aDraft('words')]]);
  outbox.close();
  const database = openDatabase(path);
  database.exec('PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  const before = readFileSync(path);
  const refusal = expect.objectContaining({ kind: 'newer', message: expect.stringContaining('update msg-tui') });
  expect(() => openOutbox(directory)).toThrow(refusal);
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(directory).some((name) => name.includes('corrupt'))).toBe(false);
});

test('a cache of a later version is left alone and kept in memory instead', () => {
  const directory = temporaryDirectory();
  openCache(directory).close();
  const path = join(directory, 'cache.db');
  const database = openDatabase(path);
  database.exec('PRAGMA user_version = 99');
  database.close();
  const troubles: string[] = [];
  const cache = openCache(directory, { onTrouble: ({ kind }) => troubles.push(kind) });
  cache.saveMessages('c1', [aMessage()]);
  expect(troubles).toEqual(['newer']);
  expect(cache.history('c1', 'newest', 5).messages).toHaveLength(1);
  cache.close();
  expect(version(path)).toBe(99);
});
