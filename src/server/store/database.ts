/** The part of an SQLite driver that the server needs, and a layer over it that keeps each statement prepared. */

export type SqlValue = string | number | bigint | null | Uint8Array;

export interface Statement {
  run(...parameters: SqlValue[]): { readonly lastInsertRowid: number | bigint };
  get(...parameters: SqlValue[]): unknown;
  all(...parameters: SqlValue[]): unknown[];
}

/** The part of `DatabaseSync` of node:sqlite that is used; the caller opens it and hands it in. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

/** Values by the name of their column. */
type Columns<Row> = { readonly [Column in keyof Row]: SqlValue };

/** Runs SQL. The caller states the type of the rows that its query selects. */
export interface Sql {
  run(sql: string, ...parameters: SqlValue[]): void;
  get<Row>(sql: string, ...parameters: SqlValue[]): Row | undefined;
  all<Row>(sql: string, ...parameters: SqlValue[]): Row[];
  /** Inserts a row and returns its `seq`, which has no meaning for a table without one. */
  insert<Row extends Columns<Row>>(table: string, row: Row): number;
  /** Sets the given columns of the row with this `seq`. */
  update<Row extends Columns<Row>>(table: string, seq: number, columns: Row): void;
  /** Runs `work` in a transaction, which is on disk when this returns. A transaction inside another joins it. */
  transaction<T>(work: () => T): T;
  /** Calls back after the current transaction is on disk: at once when there is none, never when it is rolled back. */
  afterCommit(callback: () => void): void;
  /** To be called with a deletion, so that the deleted text leaves the write-ahead log within seconds. */
  emptyLogSoon(): void;
  close(): void;
}

/** True when another process held the file for longer than `busy_timeout`; the statement had no effect. */
export function isBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // One of the two drivers gives the number of the result code, of which the low byte counts; the other only its text.
  const { errcode } = error as { readonly errcode?: unknown };
  return (typeof errcode === 'number' && (errcode & 0xff) === 5) || error.message === 'database is locked';
}

/** Rolls back. On a full disk SQLite has done so already; the error of that is ignored in favour of the first one. */
function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // SQLite has rolled back already.
  }
}

/** Milliseconds from a deletion until the log is emptied, so that many deletions share one run. */
const delayMs = 1000;

interface WriteAheadLog {
  /** The log is empty within seconds of this call, or once no other process reads the file. */
  emptySoon(): void;
  /** Empties the log a last time, unless another process reads the file. */
  close(): void;
}

/** Empties the write-ahead log after deletions, since it holds the pages as they were before. */
function createWriteAheadLog(database: Database): WriteAheadLog {
  let timer: NodeJS.Timeout | null = null;

  const emptySoon = (): void => {
    timer ??= setTimeout(() => {
      timer = null;
      if (!empty(database)) emptySoon();
    }, delayMs).unref();
  };

  return {
    emptySoon,
    close: () => {
      if (timer !== null) clearTimeout(timer);
      empty(database);
    },
  };
}

/** Returns whether the log is empty now. Does not wait for other processes. */
function empty(database: Database): boolean {
  const { timeout } = database.prepare('PRAGMA busy_timeout').get() as { timeout: number };
  try {
    database.exec('PRAGMA busy_timeout = 0');
    const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
    return busy === 0;
  } catch {
    // The disk may be full. Nothing is lost, and the next attempt may succeed.
    return false;
  } finally {
    database.exec(`PRAGMA busy_timeout = ${timeout}`);
  }
}

/** Prepares each statement once. */
function createStatements(database: Database): (sql: string) => Statement {
  const prepared = new Map<string, Statement>();
  return (sql) => {
    const known = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
}

export function createSql(database: Database): Sql {
  const statement = createStatements(database);
  const log = createWriteAheadLog(database);
  let isInside = false;
  let waiting: (() => void)[] = [];

  return {
    run: (sql, ...parameters) => void statement(sql).run(...parameters),
    get: <Row>(sql: string, ...parameters: SqlValue[]) => statement(sql).get(...parameters) as Row | undefined,
    all: <Row>(sql: string, ...parameters: SqlValue[]) => statement(sql).all(...parameters) as Row[],
    insert: (table, row) => {
      const names = Object.keys(row);
      const text = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
      return Number(statement(text).run(...Object.values<SqlValue>(row)).lastInsertRowid);
    },
    update: (table, seq, columns) => {
      const assignments = Object.keys(columns).map((name) => `${name} = ?`);
      const text = `UPDATE ${table} SET ${assignments.join(', ')} WHERE seq = ?`;
      statement(text).run(...Object.values<SqlValue>(columns), seq);
    },
    transaction: (work) => {
      if (isInside) return work();
      // IMMEDIATE: the write lock comes first, so that a command line beside the server waits instead of failing
      // midway.
      database.exec('BEGIN IMMEDIATE');
      isInside = true;
      try {
        const result = work();
        database.exec('COMMIT');
        isInside = false;
        for (const callback of waiting.splice(0)) callback();
        return result;
      } catch (error) {
        if (isInside) rollBack(database);
        throw error;
      } finally {
        isInside = false;
        waiting = [];
      }
    },
    afterCommit: (callback) => {
      if (isInside) waiting.push(callback);
      else callback();
    },
    emptyLogSoon: log.emptySoon,
    close: () => {
      log.close();
      database.close();
    },
  };
}
