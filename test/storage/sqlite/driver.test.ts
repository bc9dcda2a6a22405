import { createRequire } from 'node:module';
import { describe, expect, test, vi } from 'vitest';
import { inTransaction, loadDriver, openDatabase } from '../../../src/storage/sqlite/driver.ts';
import { toStorageError } from '../../../src/storage/sqlite/errors.ts';
import { fromColumn, toColumn } from '../../../src/storage/sqlite/sqlite-text.ts';
import { temporaryDirectory } from '../builders.ts';

describe('driver', () => {
  test('the optional package is used first, then the one that Node has', () => {
    const asked: string[] = [];
    const fallback = { DatabaseSync: class {} };
    const driver = loadDriver((name) => {
      asked.push(name);
      if (name !== 'node:sqlite') throw new Error('not installed');
      return fallback;
    }, []);
    expect(driver).toBe(fallback);
    expect(asked).toEqual(['@photostructure/sqlite', 'node:sqlite']);
  });

  test('the compiled file of the optional package is loaded without its other code', () => {
    const asked: string[] = [];
    const require = createRequire(import.meta.url);
    const folders = require.resolve.paths('@photostructure/sqlite') ?? [];
    const load = (name: string) => {
      asked.push(name);
      return require(name);
    };
    const { DatabaseSync } = loadDriver(load, ['/nowhere', ...folders]);
    expect(new DatabaseSync(':memory:').prepare('SELECT 1 AS one').get()).toEqual({ one: 1 });
    expect(asked).toEqual([expect.stringMatching(/sqlite.prebuilds.*\.node$/)]);
  });

  test('if the compiled file cannot be loaded, the package searches for another', () => {
    const asked: string[] = [];
    const fallback = { DatabaseSync: class {} };
    const require = createRequire(import.meta.url);
    const load = (name: string) => {
      asked.push(name);
      if (name.endsWith('.node')) throw new Error('invalid ELF header');
      return fallback;
    };
    expect(loadDriver(load, require.resolve.paths('@photostructure/sqlite') ?? [])).toBe(fallback);
    expect(asked).toEqual([expect.stringMatching(/\.node$/), '@photostructure/sqlite']);
  });

  test('without any driver the error says what to do', () => {
    const load = () => {
      throw new Error('not installed');
    };
    expect(() => loadDriver(load, [])).toThrow(
      expect.objectContaining({ kind: 'no-sqlite', message: expect.stringContaining('Node 22.13 or later') }),
    );
  });

  test('the warning about node:sqlite is not shown, and other warnings are', () => {
    const emitted = vi.fn();
    const before = process.emitWarning;
    process.emitWarning = emitted;
    try {
      loadDriver(() => {
        process.emitWarning('SQLite is an experimental feature and might change at any time', 'ExperimentalWarning');
        process.emitWarning('something else');
        return {};
      }, []);
      expect(process.emitWarning).toBe(emitted);
      expect(emitted.mock.calls).toEqual([['something else']]);
    } finally {
      process.emitWarning = before;
    }
  });

  test('a transaction that throws is rolled back as a whole', () => {
    const database = openDatabase(':memory:');
    database.exec('CREATE TABLE t (a)');
    const fail = () =>
      inTransaction(database, () => {
        database.exec('INSERT INTO t VALUES (1)');
        throw new Error('stop');
      });
    expect(fail).toThrow('stop');
    expect(database.prepare('SELECT count(*) AS n FROM t').get()?.n).toBe(0);
    expect(inTransaction(database, () => 'next')).toBe('next');
    database.close();
  });

  test('odd strings can be stored in a column and stay distinct', () => {
    const database = openDatabase(':memory:');
    database.exec('CREATE TABLE t (a TEXT UNIQUE)');
    const odd = ['a', 'a\0', 'a\0b', '\ud800', '\udfff', '\ufffd', '\u0001', '\u0001"a"', '', '👍', '"'];
    for (const text of odd) database.prepare('INSERT INTO t VALUES (?)').run(toColumn(text));
    const back = database.prepare('SELECT a FROM t ORDER BY rowid').all();
    expect(back.map((row) => fromColumn(String(row.a)))).toEqual(odd);
    database.close();
  });
});

describe('errors', () => {
  const cases: readonly (readonly [object, string])[] = [
    [{ code: 'ENOSPC' }, 'full'],
    [{ code: 'Unknown system error -122', errno: -122 }, 'full'],
    [{ code: 'EROFS' }, 'read-only'],
    [{ code: 'EACCES' }, 'permission'],
    [{ code: 'EMFILE' }, 'no-files'],
    [{ code: 'ERR_SQLITE_ERROR', errcode: 14, systemErrno: 24 }, 'no-files'],
    [{ code: 'ERR_SQLITE_ERROR', errcode: 13 }, 'full'],
    [{ code: 'ERR_SQLITE_ERROR', errcode: 8 }, 'read-only'],
    [{ code: 'ERR_SQLITE_ERROR', errcode: 1032 }, 'read-only'],
    [{ code: 'ERR_SQLITE_ERROR', errcode: 11 }, 'corrupt'],
    [{ code: 'ERR_SQLITE_ERROR', errcode: 779 }, 'corrupt'],
    [{ code: 'ERR_SQLITE_ERROR', errcode: 26 }, 'corrupt'],
    [{ code: 'ERR_SQLITE_ERROR', errcode: 14, systemErrno: 13 }, 'permission'],
    [{ code: 'ERR_SQLITE_ERROR', errcode: 778, systemErrno: 28 }, 'full'],
    [{ code: 'ERR_SQLITE_ERROR', errcode: 10 }, 'io'],
    [{ code: 'ERR_SQLITE_ERROR', message: 'database or disk is full' }, 'full'],
  ];
  test.each(cases)('%j is %s', (fields, kind) => {
    expect(toStorageError(Object.assign(new Error('x'), fields), 'Not saved').kind).toBe(kind);
  });

  test('a file without the right to write is not taken for a read-only file system', () => {
    // SQLite gives the same result code for both, without a number of the system.
    const refused = Object.assign(new Error('attempt to write a readonly database'), { errcode: 8 });
    expect(toStorageError(refused, 'Not saved').message).toMatch(
      /the file, its directory or the file system is read-only/,
    );
  });

  test('a real error becomes one line that says what to do', () => {
    const open = () => openDatabase(`${temporaryDirectory()}/missing/x.db`);
    expect(open).toThrow(/^A local database cannot be opened: .*check the disk.*\(.*\)\.$/);
    const many = Object.assign(new Error('first\nsecond'), { code: 'ERR_SQLITE_ERROR', errcode: 10 });
    expect(toStorageError(many, 'Not saved').message).not.toContain('\n');
  });
});
