/** The part of an SQLite driver that the server needs, and a layer over it that keeps each statement prepared. */
import type { SqlValue } from '../sql.ts';

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

/** True when another process held the file for longer than `busy_timeout`; the statement had no effect. */
export function isBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // One of the two drivers gives the number of the result code, of which the low byte counts; the other only its text.
  const { errcode } = error as { readonly errcode?: unknown };
  return (typeof errcode === 'number' && (errcode & 0xff) === 5) || error.message === 'database is locked';
}

/** Prepares each statement once. */
export function createStatements(database: Database): (sql: string) => Statement {
  const prepared = new Map<string, Statement>();
  return (sql) => {
    const known = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
}
