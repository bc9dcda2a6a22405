/** The part of an SQLite driver that the server needs, and a layer over it that keeps each statement prepared. */
import { constants } from 'node:os';
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

/** True when the disk is full, or a quota or limit is reached; SQLite has taken the transaction back. */
export const isFull = (error: unknown): boolean =>
  isResult(error, 13, 'database or disk is full') || isRefusedForRoom(error);

const { ENOSPC, EDQUOT, EFBIG } = constants.errno;

/** Without room for its index of the log, beyond a quota, or beyond a limit of the size, SQLite says "disk I/O error". */
function isRefusedForRoom(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { systemErrno, sqliteExtendedCode: code } = error as { systemErrno?: unknown; sqliteExtendedCode?: unknown };
  // After a flush that failed, the change may be on the disk.
  return [ENOSPC, EDQUOT, EFBIG].includes(Number(systemErrno)) && code !== failedFlush;
}

/** https://sqlite.org/rescode.html#ioerr_fsync */
const failedFlush = 1034;

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
