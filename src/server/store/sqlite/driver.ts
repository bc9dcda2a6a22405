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
export const isBusy = (error: unknown): boolean => isResult(error, 5, 'database is locked');

/** True when the disk is full; SQLite has taken the transaction back. */
export const isFull = (error: unknown): boolean => isResult(error, 13, 'database or disk is full');

/** One of the two drivers gives the number of the result code, of which the low byte counts; the other only its text. */
function isResult(error: unknown, code: number, text: string): boolean {
  if (!(error instanceof Error)) return false;
  const { errcode } = error as { readonly errcode?: unknown };
  return (typeof errcode === 'number' && (errcode & 0xff) === code) || error.message === text;
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
