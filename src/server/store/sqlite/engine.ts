/** The SQLite engine of the store, in the thread of its caller: one connection, and one transaction at a time. */
import type { Engine, Sql } from '../sql.ts';
import { createStatements, type Database } from './database.ts';
import { asFailure, createSql } from './queries.ts';
import { prepareDatabase } from './schema.ts';
import { createWriteAheadLog } from './write-ahead-log.ts';

export interface SqliteOptions {
  /** Milliseconds that a write waits for another process, in which this thread does nothing else. Default 5000. */
  readonly busyTimeoutMs?: number;
}

/** Brings the tables up to date. Closing the engine closes the database. */
export function openSqlite(database: Database, options: SqliteOptions = {}): Engine {
  prepareDatabase(database);
  if (options.busyTimeoutMs !== undefined) database.exec(`PRAGMA busy_timeout = ${options.busyTimeoutMs}`);
  const log = createWriteAheadLog(database);
  const statement = createStatements(database);
  const listeners = new Set<(people: readonly number[]) => void>();
  const announced = new WeakMap<Sql, Set<number>>();
  /** Resolves, and never rejects, when all transactions that were asked for so far are over. */
  let queue = Promise.resolve();
  let waiting = 0;
  let isClosed = false;

  const runOne = async <T>(work: (sql: Sql) => Promise<T>): Promise<T> => {
    const sql = createSql(statement, null);
    const people = new Set<number>();
    announced.set(sql, people);
    const result = await inTransaction(database, 'BEGIN IMMEDIATE', () => work(sql));
    if (people.size > 0) for (const listener of listeners) listener([...people]);
    return result;
  };

  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    waiting += 1;
    const result = queue.then(run).finally(() => {
      waiting -= 1;
    });
    queue = result.then(nothing, nothing);
    return result;
  };

  return {
    sql: createSql(statement, () => queue),
    transaction: (work) => inTurn(() => runOne(work)),
    snapshot: (work) => inTurn(() => inTransaction(database, 'BEGIN', () => work(createSql(statement, null)))),
    announce: async (sql, people) => {
      for (const person of people) announced.get(sql)?.add(person);
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    emptyLogSoon: log.emptySoon,
    // It closes at once where nothing is under way, since a process that exits cannot wait.
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      while (waiting > 0) await queue;
      log.close();
      database.close();
    },
  };
}

const nothing = (): void => undefined;

async function inTransaction<T>(database: Database, begin: string, work: () => Promise<T>): Promise<T> {
  try {
    // IMMEDIATE: the write lock comes first, so that a command line beside the server waits instead of failing midway.
    database.exec(begin);
  } catch (error) {
    throw asFailure(error);
  }
  try {
    const result = await work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** Rolls back. On a full disk SQLite has done so already; the error of that is ignored in favour of the first one. */
function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // SQLite has rolled back already.
  }
}
