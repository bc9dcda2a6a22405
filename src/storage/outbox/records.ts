/** Reads and writes the table `records`, one row with a checksum for each record of `Local`, and reads all of outbox.db. */

import { isObject } from '../../protocol/fields.ts';
import { type RecordChange, type RecordKind, withRecords } from '../../state/local/records.ts';
import type { Local, Op } from '../../state/model/app-state.ts';
import { emptyLocal } from '../../state/store.ts';
import type { Database, Prepare } from '../sqlite/driver.ts';
import { fromColumn, toColumn, tryParseJson } from '../sqlite/sqlite-text.ts';
import { earlierRows, isEarlier } from './earlier-tables.ts';
import { codecOf, keyOfStored, storedKey } from './record-codecs.ts';
import { isRecordChanged, opOfRow, type RecordRow, recordRow, unsealedKind } from './rows.ts';
import type { Unreadable } from './set-aside.ts';

/** To be called within a transaction. A value of null deletes the record. */
export function putRecord(prepare: Prepare, [kind, key, value]: RecordChange): void {
  const column = toColumn(storedKey(kind, key));
  if (value === null) prepare('DELETE FROM records WHERE kind = ? AND key = ?').run(kind, column);
  else {
    const { json } = recordRow(kind, column, codecOf(kind)?.toJson?.(value) ?? value);
    prepare('INSERT OR REPLACE INTO records VALUES (?, ?, ?)').run(kind, column, json);
  }
}

export interface StoredRecords {
  /** With an empty outbox. */
  readonly local: Local;
  readonly unreadable: readonly Unreadable[];
}

/** Reads these kinds, or all, of earlier versions too. Kinds that this version does not know stay untouched. */
export function readRecords(database: Database, kinds?: readonly RecordKind[]): StoredRecords {
  const changes: RecordChange[] = [];
  const unreadable: Unreadable[] = [];
  const rows = isEarlier(database)
    ? earlierRows(database, kinds)
    : rowsOf(database, kinds && `WHERE kind IN ('${kinds.join("', '")}')`);
  for (const row of rows) {
    const change = row === null || isRecordChanged(row) ? null : changeOf(row);
    if (change === null) unreadable.push({ table: 'records', row: { ...row } });
    else if (change !== undefined) changes.push(change);
  }
  return { local: withRecords(emptyLocal, changes), unreadable };
}

export function countChangedRecords(database: Database): number {
  if (isEarlier(database)) return earlierRows(database).filter((row) => row === null || isRecordChanged(row)).length;
  return rowsOf(database, `WHERE kind <> '${unsealedKind}'`).filter(isRecordChanged).length;
}

/** The rows, each with its rowid as `row_number`. */
function rowsOf(database: Database, where = ''): readonly RecordRow[] {
  const rows = database
    .prepare(`SELECT rowid AS row_number, kind, key, json FROM records ${where} ORDER BY rowid`)
    .all();
  return rows as unknown as readonly RecordRow[];
}

function changeOf({ kind, key: column, json }: RecordRow): RecordChange | null | undefined {
  const codec = codecOf(kind);
  if (codec === undefined) return undefined;
  const stored = tryParseJson(json);
  if (!isObject(stored) || typeof column !== 'string') return null;
  const key = keyOfStored(kind, fromColumn(column));
  const value = codec.parse(stored.value, key);
  return value === null || value === undefined ? value : ([kind, key, value] as unknown as RecordChange);
}

export function readLocal(database: Database): StoredRecords {
  const outbox: Op[] = [];
  const unreadable: Unreadable[] = [];
  // `all` reports errors without their numbers: a file that cannot be opened for want of descriptors is reported here.
  database.prepare('SELECT 1 FROM ops LIMIT 1').get();
  for (const row of database.prepare('SELECT rowid AS row_number, * FROM ops ORDER BY seq').all()) {
    const op = opOfRow(row);
    if (op === null) unreadable.push({ table: 'ops', row });
    else outbox.push(op);
  }
  const records = readRecords(database);
  return { local: { ...records.local, outbox }, unreadable: [...unreadable, ...records.unreadable] };
}
