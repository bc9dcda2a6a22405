/** Reads and writes rows of the table `ops`, within the caller's transaction. */
import type { Op } from '../../state/model/app-state.ts';
import type { SqlRow, Statement } from '../sqlite/driver.ts';
import { opColumns, opOfRow } from './rows.ts';

type Prepare = (sql: string) => Statement;

/** Returns the op's number in the sequence (`seq`). */
export function insertOp(prepare: Prepare, op: Omit<Op, 'seq'>): number {
  const { lastInsertRowid } = prepare(
    `INSERT INTO ops (uuid, state, action, created, not_before, reason, attempts, baseline, scans, last_scan)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(op.uuid, ...opColumns(op));
  return Number(lastInsertRowid);
}

/** null when the op is missing or unreadable. */
export function readOp(prepare: Prepare, uuid: string): Op | null {
  const row = prepare('SELECT * FROM ops WHERE uuid = ?').get(uuid);
  return row === undefined ? null : opOfRow(row);
}

export function writeOp(prepare: Prepare, op: Op): void {
  prepare(
    `UPDATE ops SET state = ?, action = ?, created = ?, not_before = ?, reason = ?, attempts = ?, baseline = ?,
       scans = ?, last_scan = ? WHERE uuid = ?`,
  ).run(...opColumns(op), op.uuid);
}

export const opsUnderWay = (prepare: Prepare): readonly Op[] =>
  understood(prepare("SELECT * FROM ops WHERE state = 'sending'").all());

/** The queued, sending and unsure ops before this one in its conversation. */
export function opsBefore(prepare: Prepare, { seq, action }: Op): readonly Op[] {
  if (action.kind === 'conversation.create') return [];
  // Searches the id as JSON: within a message text its quotes would be escaped, so that only the field matches.
  const sql = "SELECT * FROM ops WHERE seq < ? AND state <> 'failed' AND instr(action, ?) > 0 ORDER BY seq";
  const found = understood(prepare(sql).all(seq, `"conversationId":${JSON.stringify(action.conversationId)}`));
  // A field of an attachment may have that name.
  return found.filter(
    ({ action: earlier }) => 'conversationId' in earlier && earlier.conversationId === action.conversationId,
  );
}

const understood = (rows: readonly SqlRow[]): readonly Op[] => rows.map(opOfRow).filter((op) => op !== null);
