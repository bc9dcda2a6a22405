/** The SQLite engine of the store, in the thread of its caller: one connection, whose writers share their commits. */
import type { DatabaseEngine, Sql } from '../sql.ts';
import { createStatements, type Database, type Statement } from './driver.ts';
import { commitTogether, type Member, rollBack } from './group-commit.ts';
import { asFailure, createSql } from './queries.ts';
import { migrate } from './schema.ts';
import { createWriteAheadLog } from './write-ahead-log.ts';

export interface SqliteOptions {
  /** Milliseconds that a write waits for another process, in which this thread does nothing else. Default 5000. */
  readonly busyTimeoutMs?: number;
}

/** Transactions in one commit. More would keep those who read waiting for too long. */
const maximumTogether = 100;

/**
 * Brings the tables up to date. Closing the engine closes the database.
 * @throws Error for a file that a newer version has written, which is left as it is
 */
export function openSqlite(database: Database, { busyTimeoutMs = 5_000 }: SqliteOptions = {}): DatabaseEngine {
  database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  makeDurable(database);
  database.exec('PRAGMA foreign_keys = ON');
  // Deleted content is overwritten in the file.
  database.exec('PRAGMA secure_delete = ON');
  migrate(database);
  const log = createWriteAheadLog(database);
  const statement = createStatements(database);
  const announcements = createAnnouncements();
  const turns = createTurns();
  const members: Member[] = [];

  const commitMembers = async (): Promise<void> => {
    // The transactions of all requests that have arrived by now share one commit.
    await new Promise((resolve) => void setImmediate(resolve));
    const together = members.splice(0, maximumTogether);
    if (members.length > 0) void turns.take(commitMembers);
    await turns.open(commitTogether(database, together));
  };

  let isClosed = false;
  return {
    sql: createSql(statement, turns.closed),
    transaction: (work) =>
      new Promise((resolve, reject) => {
        members.push(memberOf(statement, work, announcements, { resolve, reject }));
        if (members.length === 1) void turns.take(commitMembers);
      }),
    snapshot: (work) => turns.take(() => turns.open(onOneState(database, () => work(createSql(statement, null))))),
    announce: announcements.add,
    onChange: announcements.onChange,
    emptyLogSoon: log.emptySoon,
    // It closes at once where nothing is under way, since a process that exits cannot wait.
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      while (turns.isBusy()) await turns.over();
      log.close();
      database.close();
    },
  };
}

/** A commit returns once its changes are safe on the disk, as an answer 2xx promises (R-SERVER). */
function makeDurable(database: Database): void {
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('PRAGMA synchronous = FULL');
}

function memberOf<T>(
  statement: (sql: string) => Statement,
  work: (sql: Sql) => Promise<T>,
  announcements: Announcements,
  promise: { readonly resolve: (result: T) => void; readonly reject: (error: unknown) => void },
): Member {
  let result: T;
  const failures: unknown[] = [];
  // SQLite has rolled back by itself where the disk was full. A later statement would be a transaction of its own: the answer
  // for an `Idempotency-Key` would be kept for a message that is not there.
  const unlessFailed = (text: string): Statement => {
    if (failures.length > 0) throw failures[0];
    return statement(text);
  };
  const sql = createSql(unlessFailed, null, (error) => void failures.push(error));
  return {
    run: async () => {
      result = await work(sql);
      // `work` need not have waited for its last statements.
      if (failures.length > 0) throw asFailure(failures[0]);
    },
    committed: () => {
      announcements.publish(sql);
      promise.resolve(result);
    },
    failed: promise.reject,
  };
}

type Announcements = ReturnType<typeof createAnnouncements>;

/** Collects who can see the changes of each transaction, and calls the listeners once it is committed. */
function createAnnouncements() {
  const listeners = new Set<(people: readonly number[]) => void>();
  const waiting = new WeakMap<Sql, Set<number>>();
  return {
    add: async (sql: Sql, people: readonly number[]): Promise<void> => {
      waiting.set(sql, new Set([...(waiting.get(sql) ?? []), ...people]));
    },
    publish: (sql: Sql): void => {
      const people = waiting.get(sql);
      if (people !== undefined) for (const listener of listeners) listener([...people]);
    },
    onChange: (listener: (people: readonly number[]) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Lets one transaction after the other use the connection. */
function createTurns() {
  let queue = Promise.resolve();
  let waiting = 0;
  let current: Promise<void> | undefined;
  return {
    take: <T>(run: () => Promise<T>): Promise<T> => {
      waiting += 1;
      const result = queue.then(run).finally(() => {
        waiting -= 1;
      });
      queue = result.then(nothing, nothing);
      return result;
    },
    /** To be called when a transaction begins, with what it resolves to. */
    open: <T>(transaction: Promise<T>): Promise<T> => {
      const over = transaction.then(nothing, nothing).then(() => {
        if (current === over) current = undefined;
      });
      current = over;
      return transaction;
    },
    /** Resolves when no transaction is open, so that a reader sees nothing that is not committed. */
    closed: async (): Promise<void> => current,
    isBusy: () => waiting > 0,
    over: () => queue,
  };
}

const nothing = (): void => undefined;

/** Runs `read` on one state of the database; there is nothing to commit. */
async function onOneState<T>(database: Database, read: () => Promise<T>): Promise<T> {
  try {
    database.exec('BEGIN');
    return await read();
  } catch (error) {
    throw asFailure(error);
  } finally {
    rollBack(database);
  }
}
