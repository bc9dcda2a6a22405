/** What the server needs of a database engine. SQLite and PostgreSQL each implement it; the statements are the same. */

export type SqlValue = string | number | bigint | null | Uint8Array;

/** Values by the name of their column. */
export type Columns<Row> = { readonly [Column in keyof Row]: SqlValue };

/**
 * Runs SQL of one connection or transaction. Placeholders are `?`, in their order. The caller states the type of the
 * rows that its query selects. Integers come back as numbers, and a truth value is the integer 0 or 1.
 */
export interface Sql {
  readonly dialect: Dialect;
  run(sql: string, ...parameters: SqlValue[]): Promise<void>;
  get<Row>(sql: string, ...parameters: SqlValue[]): Promise<Row | undefined>;
  all<Row>(sql: string, ...parameters: SqlValue[]): Promise<Row[]>;
  /** Inserts a row into a table that has the column `seq`, and resolves to the number drawn for it. */
  insert<Row extends Columns<Row>>(table: string, row: Row): Promise<number>;
  /** Sets the given columns of the row with this `seq`. */
  update<Row extends Columns<Row>>(table: string, seq: number, columns: Row): Promise<void>;
}

/** The places where the two engines need a different text. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  /** A join that SQLite carries out in the order of the text; PostgreSQL chooses the order by itself. */
  readonly joinInOrder: 'CROSS JOIN' | 'JOIN';
  /** Ends a SELECT that locks its rows until the end of the transaction. Empty on SQLite, which has one writer. */
  readonly forUpdate: '' | ' FOR NO KEY UPDATE';
  /** The condition "`column` is one of these numbers", with one placeholder for the value that `numbers` makes. */
  inNumbers(column: string): string;
  numbers(values: readonly number[]): SqlValue;
  /**
   * A table expression with the columns `number` and `text`, to be written after FROM or JOIN and given an alias. Its
   * one placeholder takes the value that `pairs` makes.
   */
  readonly pairsTable: string;
  pairs(values: readonly (readonly [number, string])[]): SqlValue;
  /** An expression that makes the JSON text of a text, or `null` of NULL. */
  jsonText(expression: string): string;
}

/** A database that holds all data of the server: `openSqlite` and `openPostgres` open one. */
export interface DatabaseEngine {
  /**
   * Runs single statements outside of transactions. It is used for reading, and to count requests for the rate limit.
   */
  readonly sql: Sql;
  /**
   * Runs `work` in a transaction, which is durable when this resolves and rolled back when it rejects. The engine may
   * run `work` again after a serialization failure or a deadlock, so it must have no effect but SQL.
   *
   * The last statements of `work` need not be waited for (`sendTogether`). They are carried out before the commit, and one
   * that fails is the failure of the transaction.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Runs `work`, which only reads, on one state of the whole database, while others go on writing. */
  snapshot<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** To be called inside a transaction that changes something that these people (`people.seq`) can see. */
  announce(sql: Sql, people: readonly number[]): Promise<void>;
  /**
   * Calls back after each commit with the people announced in it, by this process or another one; with null when
   * announcements may have been missed. The returned function ends it.
   */
  onChange(listener: (people: readonly number[] | null) => void): () => void;
  /** To be called after content was deleted or replaced, so that SQLite removes the former one from its log within seconds. */
  emptyLogSoon(): void;
  close(): Promise<void>;
}

/**
 * For statements at the end of a transaction whose results nobody needs. PostgreSQL is sent them together with the COMMIT,
 * which it answers by rolling back when one of them has failed.
 */
export function sendTogether(...statements: readonly Promise<unknown>[]): void {
  Promise.all(statements).catch(() => undefined);
}

/** The database could not be reached, another process has locked it for too long, or its disk is full. Nothing was changed. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

/** Compares the name, which is the same for an error of another thread. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof Error && error.name === 'DatabaseUnavailable';
