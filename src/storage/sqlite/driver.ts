/**
 * Finds an SQLite driver for this Node, opens and closes databases with it, and runs transactions. No other file knows
 * which driver is used.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { StorageError, toStorageError } from './errors.ts';

export type SqlValue = string | number | bigint | null | Uint8Array;

/** A result row; its prototype is null, so `toEqual` against a plain object differs and `hasOwnProperty` is missing. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

export interface Statement {
  run(...parameters: SqlValue[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
  get(...parameters: SqlValue[]): SqlRow | undefined;
  all(...parameters: SqlValue[]): SqlRow[];
  iterate(...parameters: SqlValue[]): IterableIterator<SqlRow>;
}

/** The part that msg-tui uses of `DatabaseSync`, which @photostructure/sqlite and node:sqlite have in common. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

interface Driver {
  readonly DatabaseSync: new (path: string | URL, options?: { readonly readOnly: boolean }) => Database;
}

let driver: Driver | null = null;

/** Opens or creates a database file. @throws StorageError, `no-sqlite` when this Node has no SQLite. */
export function openDatabase(path: string): Database {
  return open(({ DatabaseSync }) => new DatabaseSync(path));
}

/**
 * Opens an existing file to read it. With `isAtRest` no process has it open and its log is empty: SQLite opens it as
 * immutable and creates no file beside it. Otherwise it respects the locks of other processes, and may write the
 * shared index of the log.
 */
export function openToRead(path: string, { isAtRest }: { readonly isAtRest: boolean }): Database {
  const url = pathToFileURL(path);
  url.search = isAtRest ? '?immutable=1' : '';
  return open(({ DatabaseSync }) => new DatabaseSync(url, { readOnly: true }));
}

function open(make: (driver: Driver) => Database): Database {
  driver ??= loadInstalled();
  try {
    return make(driver);
  } catch (error) {
    throw toStorageError(error, 'A local database cannot be opened');
  }
}

function loadInstalled(): Driver {
  const require = createRequire(import.meta.url);
  return loadDriver(require, require.resolve.paths(optionalDriver) ?? []);
}

const optionalDriver = '@photostructure/sqlite';

/**
 * Exported for tests, which pass another loader.
 * @param folders the `node_modules` folders in which the optional package may be
 */
export function loadDriver(load: (name: string) => unknown, folders: readonly string[]): Driver {
  const names = [compiledFile(folders), optionalDriver, 'node:sqlite'].filter((name) => name !== undefined);
  for (const name of names) {
    try {
      return withoutSqliteWarning(() => load(name)) as Driver;
    } catch {
      // Not installed, or without a binary for this platform: the next driver is tried.
    }
  }
  // Node has node:sqlite without a flag from 22.13 on.
  throw new StorageError(
    'no-sqlite',
    'No SQLite found: reinstall msg-tui with its optional dependencies, or use Node 22.13 or later.',
  );
}

/**
 * The path of the compiled file of the optional driver for this platform, where version 1.2 of the package has it;
 * undefined where there is none. To load it through the package takes 4 ms longer at each start. The package, too,
 * tells musl from glibc by the file of Alpine.
 */
function compiledFile(folders: readonly string[]): string | undefined {
  const libc = process.platform === 'linux' && existsSync('/etc/alpine-release') ? 'musl' : 'glibc';
  const file = join('prebuilds', `${process.platform}-${process.arch}`, `@photostructure+sqlite.${libc}.node`);
  return folders.map((folder) => join(folder, optionalDriver, file)).find((path) => existsSync(path));
}

/** Suppresses the warning of node:sqlite that it is experimental, which would appear in the middle of the screen. */
function withoutSqliteWarning<T>(load: () => T): T {
  const emitWarning = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
    if (!String(warning).includes('SQLite')) emitWarning.call(process, warning, ...rest);
  }) as typeof process.emitWarning;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Runs `work` in one write transaction: all of it or, when it throws, nothing. */
export function inTransaction<T>(database: Database, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  let result: T;
  try {
    result = work();
    database.exec('COMMIT');
  } catch (error) {
    try {
      database.exec('ROLLBACK');
    } catch {
      // SQLite has rolled back already, as after a full disk or an I/O error.
    }
    throw error;
  }
  return result;
}

/** Empties the write-ahead log, unless another process is reading: it does not wait for that. */
const emptyLogNow = 'PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)';

/**
 * Empties the write-ahead log and closes the database. @photostructure/sqlite keeps the file open until its last
 * prepared statement is garbage-collected; a log that is not emptied would be left for the next start.
 */
export function closeDatabase(database: Database): void {
  try {
    database.exec(emptyLogNow);
  } catch {
    // Nothing is lost: the log stays and the next start reads it.
  }
  database.close();
}

/** Copies the write-ahead log into the file now, at a quiet moment, as SQLite does after every thousandth page. */
export function checkpoint(database: Database): void {
  try {
    database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } catch {
    // Another process is doing it, or the disk is full: a later checkpoint does it.
  }
}

/**
 * Empties the write-ahead log, which still has what was deleted. It does not wait for another process that is reading: then
 * a later deletion empties the log, or the end of the program.
 */
export function emptyLog(database: Database): void {
  try {
    const { timeout } = database.prepare('PRAGMA busy_timeout').get() as { timeout: number };
    try {
      database.exec(emptyLogNow);
    } finally {
      database.exec(`PRAGMA busy_timeout = ${timeout}`);
    }
  } catch {
    // The disk is full, or the file was given up as damaged.
  }
}

/** Returns the compiled statement of a text: a database that compiles at each call, or a cache of what it has compiled. */
export type Prepare = (sql: string) => Statement;

/** A `prepare` that compiles each statement once. */
export function statementCache(database: Database): Prepare {
  const cache = new Map<string, Statement>();
  return (sql) => {
    const known = cache.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    cache.set(sql, statement);
    return statement;
  };
}
