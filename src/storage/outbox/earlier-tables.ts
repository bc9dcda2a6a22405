/**
 * Reads the tables of versions 1 and 2 of outbox.db, which had one for each kind of record, when such a file is migrated,
 * inspected or salvaged. Version 3 has them all in the table `records`.
 */

import { isObject } from '../../protocol/fields.ts';
import type { RecordKind } from '../../state/local/records.ts';
import { type Database, type SqlRow, statementCache } from '../sqlite/driver.ts';
import { fromColumn, tryParseJson } from '../sqlite/sqlite-text.ts';
import { isSealBroken, type RecordRow, recordRow } from './rows.ts';
import { setRowAside } from './set-aside.ts';

const text = (value: unknown): unknown => (typeof value === 'string' ? fromColumn(value) : value);

/** The row of `records`; null where the values are no record. */
const record = (kind: unknown, key: unknown, value: unknown): RecordRow | null =>
  typeof kind === 'string' && typeof key === 'string' && value !== undefined ? recordRow(kind, key, value) : null;

/** The records in a row of each table. */
const recordsIn: Readonly<Record<string, (row: SqlRow) => readonly (RecordRow | null)[]>> = {
  drafts: ({ conversation_id: id, body }) => [
    isSealBroken(body, [id ?? null]) ? null : record('drafts', id, tryParseJson(body)),
  ],
  resent: ({ uuid, body }) => [record('resent', uuid, tryParseJson(body))],
  facts: ({ name, value }) => {
    const stored = tryParseJson(value);
    if (name !== 'traits' || !isObject(stored)) return [record(name, '', stored)];
    return Object.entries(stored).map(([key, learned]) => record('capabilities', key, learned));
  },
  names: ({ id, name }) => [record('names', id, text(name))],
  read_lines: ({ conversation_id: id, message_id: messageId, at }) => [
    record('readLines', id, { messageId: text(messageId), at }),
  ],
};

/** The kind of the records in a table; `facts` has several. */
const kindIn: Readonly<Record<string, RecordKind>> = {
  drafts: 'drafts',
  resent: 'resent',
  names: 'names',
  read_lines: 'readLines',
};

export const earlierTables: readonly string[] = Object.keys(recordsIn);

const tablesOf = (database: Database): readonly unknown[] =>
  database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all()
    .map(({ name }) => name);

/** The first version that has all records in the table `records`. */
export const recordsVersion = 3;

/** Whether the file is of version 1 or 2. The tables show that, as the number of the version may be damaged. */
export const isEarlier = (database: Database): boolean => !tablesOf(database).includes('records');

/** Rows of these kinds, or all, as `records` would have them; null for one that cannot be read, or is not as it was written. */
export function earlierRows(database: Database, kinds?: readonly RecordKind[]): readonly (RecordRow | null)[] {
  const tables = tablesOf(database);
  const isWanted = (kind: string | undefined): boolean =>
    kind === undefined || kinds === undefined || (kinds as readonly string[]).includes(kind);
  return Object.entries(recordsIn)
    .filter(([table]) => tables.includes(table) && isWanted(kindIn[table]))
    .flatMap(([table, records]) =>
      database
        .prepare(`SELECT * FROM ${table} ORDER BY rowid`)
        .all()
        .flatMap((row) => records(row)),
    )
    .filter((row) => isWanted(row?.kind));
}

/** Puts a row of an earlier table into `records`, or aside. To be called within a write transaction. */
export function moveEarlierRow(target: Pick<Database, 'prepare'>, table: string, row: SqlRow, now: number): void {
  for (const found of recordsIn[table]?.(row) ?? [])
    if (found === null) setRowAside(target, table, row, now);
    else target.prepare('INSERT OR IGNORE INTO records VALUES (?, ?, ?)').run(found.kind, found.key, found.json);
}

/** To be called within the transaction of the migration. */
export function moveEarlierTables(database: Database): void {
  const target = { prepare: statementCache(database) };
  for (const table of earlierTables) {
    const rows = database.prepare(`SELECT * FROM ${table} ORDER BY rowid`).all();
    for (const row of rows) moveEarlierRow(target, table, row, Date.now());
    database.exec(`DROP TABLE ${table}`);
  }
}
