/** Rows that cannot be read are moved to the table `set_aside` and deleted only by the user (R-STORE-2). */
import { type Database, inTransaction, type SqlRow } from '../sqlite/driver.ts';

export interface Unreadable {
  readonly table: string;
  readonly row: SqlRow;
}

/** Moves unreadable rows to `set_aside`, as JSON, so that later loads do not meet them. */
export function setAside(database: Database, unreadable: readonly Unreadable[], now: number): void {
  if (unreadable.length === 0) return;
  inTransaction(database, () => {
    for (const { table, row } of unreadable) {
      setRowAside(database, table, row, now);
      database.prepare(`DELETE FROM ${table} WHERE rowid = ?`).run(row.row_number ?? null);
    }
  });
}

/** To be called within a write transaction. */
export function setRowAside(database: Pick<Database, 'prepare'>, table: string, row: SqlRow, now: number): void {
  const { row_number: _, ...record } = row;
  const json = JSON.stringify(record, (_key, value: unknown) =>
    value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value,
  );
  database.prepare('INSERT INTO set_aside VALUES (?, ?, ?)').run(table, json, now);
}

export function countSetAside(database: Database): number {
  return Number(database.prepare('SELECT count(*) AS count FROM set_aside').get()?.count ?? 0);
}

/** A row of the table. */
export interface AsideRow {
  readonly number: number;
  /** The table in which it was. */
  readonly source: string;
  /** The row as JSON. */
  readonly record: string;
  readonly at: number;
}

export const readSetAside = (database: Database): readonly AsideRow[] =>
  database
    .prepare('SELECT rowid AS number, source, record, at FROM set_aside ORDER BY rowid')
    .all()
    .map(({ number, source, record, at }) => ({
      number: Number(number),
      source: String(source),
      record: String(record),
      at: Number(at),
    }));

export function removeSetAside(database: Database, number: number): void {
  database.prepare('DELETE FROM set_aside WHERE rowid = ?').run(number);
}
