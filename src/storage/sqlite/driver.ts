/** Finds an SQLite for this Node and opens databases with it: the one place that knows which driver runs. */
import { createRequire } from 'node:module';
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

/** What `DatabaseSync` of @photostructure/sqlite and of node:sqlite have in common and we use. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

interface Driver {
  readonly DatabaseSync: new (path: string | URL, options?: { readonly readOnly: boolean }) => Database;
}

let driver: Driver | null = null;

/**
 * Opens or creates a database file (`:memory:` for none on disk).
 * Throws `StorageError`: `no-sqlite` when this Node has no SQLite, else what opening ran into.
 */
export function openDatabase(path: string): Database {
  return open(({ DatabaseSync }) => new DatabaseSync(path));
}

/**
 * Opens a file that is there, to look at it. `isAtRest`: nobody has it open and its log is empty, so that nothing beside
 * it is needed or made; else other processes' locks hold, and the shared index of the log may be written.
 */
export function openToRead(path: string, { isAtRest }: { readonly isAtRest: boolean }): Database {
  const url = pathToFileURL(path);
  url.search = isAtRest ? '?immutable=1' : '';
  return open(({ DatabaseSync }) => new DatabaseSync(url, { readOnly: true }));
}

function open(make: (driver: Driver) => Database): Database {
  driver ??= loadDriver(createRequire(import.meta.url));
  try {
    return make(driver);
  } catch (error) {
    throw toStorageError(error, 'A local database cannot be opened');
  }
}

/** Exported for tests, which hand in a loader of their own. */
export function loadDriver(load: (name: string) => unknown): Driver {
  for (const name of ['@photostructure/sqlite', 'node:sqlite']) {
    try {
      return withoutSqliteWarning(() => load(name)) as Driver;
    } catch {
      // Not installed, or no binary for this platform: the next one.
    }
  }
  // From 22.13 on Node has its own without a flag.
  throw new StorageError(
    'no-sqlite',
    'No SQLite found: reinstall msg-tui with its optional dependencies, or use Node 22.13 or later.',
  );
}

/** node:sqlite announces itself as experimental on stderr, which would land in the middle of the screen. */
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
      // SQLite has already rolled back by itself (full disk, I/O error).
    }
    throw error;
  }
  return result;
}

/**
 * Folds the write-ahead log in and closes. @photostructure/sqlite keeps the file open until the last prepared
 * statement is collected, so that the log would else be left behind for the next start.
 */
export function closeDatabase(database: Database): void {
  try {
    // Without waiting: another process may be reading.
    database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // Nothing is lost: the log stays and is read at the next start.
  }
  database.close();
}

/**
 * Brings what the write-ahead log holds into the file, as SQLite does by itself behind every thousandth page: after a large
 * write it is better done alone.
 */
export function foldLog(database: Database): void {
  try {
    database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } catch {
    // Another process is at it, or the disk is full: it can wait.
  }
}

/** A `prepare` that compiles each statement once. */
export function statementCache(database: Database): (sql: string) => Statement {
  const cache = new Map<string, Statement>();
  return (sql) => {
    const known = cache.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    cache.set(sql, statement);
    return statement;
  };
}
