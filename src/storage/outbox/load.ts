/**
 * Reads the whole of outbox.db into `Local`. Unreadable rows are moved to the table `set_aside` and never deleted
 * (R-STORE-2).
 */
import type { ServerCapabilities } from '../../protocol/capabilities.ts';
import type { ConversationId } from '../../protocol/types.ts';
import type { Local, Me } from '../../state/model/app-state.ts';
import { type Database, inTransaction, type SqlRow } from '../sqlite/driver.ts';
import { fromColumn } from '../sqlite/sqlite-text.ts';
import { parseJson } from '../sqlite/stored-json.ts';
import { parseCapabilities } from './capabilities-parse.ts';
import { parseResent } from './op-parse.ts';
import { draftOfBody, isDraftChanged, meOfValue, opOfRow, readLineOfRow } from './rows.ts';

interface Unreadable {
  readonly table: string;
  readonly row: SqlRow;
}

export interface Loaded {
  readonly local: Local;
  readonly unreadable: readonly Unreadable[];
}

export function readLocal(database: Database): Loaded {
  const unreadable: Unreadable[] = [];
  const read = <T>(table: string, order: string, parse: (row: SqlRow) => T | null): T[] => {
    const values: T[] = [];
    for (const row of database.prepare(`SELECT rowid AS row_number, * FROM ${table} ORDER BY ${order}`).all()) {
      const value = parse(row);
      if (value === null) unreadable.push({ table, row });
      else values.push(value);
    }
    return values;
  };
  const outbox = read('ops', 'seq', opOfRow);
  const resent = read('resent', 'rowid', (row) => parseResent(parseJson(row.body)));
  const drafts = read('drafts', 'rowid', (row) =>
    keyed(row.conversation_id, isDraftChanged(row) ? null : draftOfBody(row.body)),
  );
  const readLines = read('read_lines', 'rowid', (row) => keyed(row.conversation_id, readLineOfRow(row)));
  const names = read('names', 'rowid', (row) => keyed(row.id, textOf(row.name)));
  const facts = new Map(read('facts', 'rowid', (row) => keyed(row.name, factOf(row))));
  const local: Local = {
    outbox,
    resent,
    drafts: new Map(drafts),
    readLines: new Map(readLines),
    names: new Map(names),
    me: (facts.get('me') as Me | undefined) ?? null,
    opened: (facts.get('opened') as ConversationId | undefined) ?? null,
    capabilities: (facts.get('traits') as ServerCapabilities | undefined) ?? {},
  };
  return { local, unreadable };
}

/** Moves unreadable rows to `set_aside`, as JSON, so that later loads do not meet them. */
export function setAside(database: Database, unreadable: readonly Unreadable[], now: number): void {
  if (unreadable.length === 0) return;
  inTransaction(database, () => {
    for (const { table, row } of unreadable) {
      keepAside(database, table, row, now);
      database.prepare(`DELETE FROM ${table} WHERE rowid = ?`).run(row.row_number ?? null);
    }
  });
}

/** To be called within a write transaction. */
export function keepAside(database: Database, table: string, row: SqlRow, now: number): void {
  const { row_number: _, ...record } = row;
  const json = JSON.stringify(record, (_key, value: unknown) =>
    value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value,
  );
  database.prepare('INSERT INTO set_aside VALUES (?, ?, ?)').run(table, json, now);
}

export function countSetAside(database: Database): number {
  return Number(database.prepare('SELECT count(*) AS count FROM set_aside').get()?.count ?? 0);
}

function keyed<T>(key: unknown, value: T | null): readonly [string, T] | null {
  return typeof key === 'string' && value !== null ? [fromColumn(key), value] : null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? fromColumn(value) : null;
}

function factOf(row: SqlRow): Me | ServerCapabilities | ConversationId | null {
  const value = parseJson(row.value);
  if (row.name === 'opened') return typeof value === 'string' ? value : null;
  return row.name === 'me' ? meOfValue(value) : value === undefined ? null : parseCapabilities(value);
}
