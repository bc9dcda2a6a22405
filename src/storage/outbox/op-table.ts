/** The ops of outbox.db, row by row, within the transaction of who asks. */
import type { Op } from '../../state/model/app-state.ts';
import type { SqlRow, Statement } from '../sqlite/driver.ts';
import { opColumns, opOfRow } from './rows.ts';

type Prepare = (sql: string) => Statement;

/** Answers its number in the sequence. */
export function insertOp(prepare: Prepare, op: Omit<Op, 'seq'>): number {
  const { lastInsertRowid } = prepare(
    `INSERT INTO ops (uuid, state, action, created, not_before, reason, attempts, baseline, scans, last_scan)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(op.uuid, ...opColumns(op));
  return Number(lastInsertRowid);
}

/** null when it is not there, or cannot be understood. */
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

/** The queued, sending and unsure ones before it in its conversation. */
export function opsBefore(prepare: Prepare, { seq, action }: Op): readonly Op[] {
  if (action.kind === 'conversation.create') return [];
  // The id as it stands in the stored action: in a text its quotes would be escaped.
  const sql = "SELECT * FROM ops WHERE seq < ? AND state <> 'failed' AND instr(action, ?) > 0 ORDER BY seq";
  return understood(prepare(sql).all(seq, `"conversationId":${JSON.stringify(action.conversationId)}`));
}

const understood = (rows: readonly SqlRow[]): readonly Op[] => rows.map(opOfRow).filter((op) => op !== null);
