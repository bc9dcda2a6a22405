/** Rows of outbox.db: read, written, converted to state and back, and checked by checksums. An unreadable row gives null. */

import { crc32 } from 'node:zlib';
import { isObject } from '../../protocol/fields.ts';
import type { RecordKind } from '../../state/local/records.ts';
import type { Op } from '../../state/model/app-state.ts';
import type { Prepare, SqlRow, SqlValue } from '../sqlite/driver.ts';
import { fromColumn, toColumn, tryParseJson } from '../sqlite/sqlite-text.ts';
import {
  attemptsToJson,
  beforeImageToJson,
  parseAction,
  parseAttempts,
  parseBaseline,
  parseBeforeImage,
  parseRecipient,
  parseSettings,
} from './op-parse.ts';

const states: readonly unknown[] = ['queued', 'sending', 'unsure', 'failed'] satisfies readonly Op['state'][];

/** The values for the columns `state, action, created, not_before, reason, attempts, baseline, scans, last_scan`. */
function opColumns(op: Omit<Op, 'seq'>): SqlValue[] {
  const rest = [
    op.created,
    op.notBefore,
    op.reason === null ? null : toColumn(op.reason),
    JSON.stringify(attemptsToJson(op.attempts)),
    op.baseline === null ? null : JSON.stringify(op.baseline),
    op.scans,
    op.lastScan,
  ];
  // Optional fields are stored in the JSON of the action: they are written with it, and older versions ignore them.
  const action = JSON.stringify({ ...op.action, ...extrasOf(op) });
  return [op.state, sealed(action, [op.uuid, op.state, ...rest]), ...rest];
}

/** On disk these fields keep the names that earlier versions gave them. */
const extrasOf = ({
  pendingRepair,
  skippedInOrder: letsPass,
  autoResent: resentByItself,
  recipient,
  warnedOf,
  settingsBefore,
  hasPossibleCopy,
}: Omit<Op, 'seq'>) => ({
  owed: pendingRepair && beforeImageToJson(pendingRepair),
  letsPass,
  resentByItself,
  recipient,
  warnedOf,
  settingsBefore,
  hasPossibleCopy,
});

/** The optional fields as `extrasOf` has written them; null where one has another shape. */
function parseExtras(stored: unknown): Partial<Op> | null {
  if (!isObject(stored)) return {};
  const owed = stored.owed === undefined ? undefined : parseBeforeImage(stored.owed);
  const recipient = stored.recipient === undefined ? undefined : parseRecipient(stored.recipient);
  const warnedOf = stored.warnedOf === undefined ? undefined : parseRecipient(stored.warnedOf);
  const before = stored.settingsBefore === undefined ? undefined : parseSettings(stored.settingsBefore);
  if (owed === null || recipient === null || warnedOf === null || before === null) return null;
  return {
    ...(owed === undefined ? {} : { pendingRepair: owed }),
    ...(stored.letsPass === true ? { skippedInOrder: true } : {}),
    ...(stored.resentByItself === true ? { autoResent: true } : {}),
    ...(recipient === undefined ? {} : { recipient }),
    ...(warnedOf === undefined ? {} : { warnedOf }),
    ...(before === undefined ? {} : { settingsBefore: before }),
  };
}

/**
 * A version without the field `hasPossibleCopy` said only in the reason, in one of these two sentences, that a message in
 * the history may be the one of the op. They are compared here and nowhere else.
 */
const reasonsOfPossibleCopy: readonly unknown[] = [
  'A message with this text is in the history; nobody knows yet whether it is yours.',
  'A new message much like this one is in the history. If it is this one, changed by the server, discard what is here.',
];

function hasPossibleCopy(stored: unknown, reason: string | null): boolean {
  const field = isObject(stored) ? stored.hasPossibleCopy : undefined;
  return typeof field === 'boolean' ? field : reasonsOfPossibleCopy.includes(reason);
}

export function opOfRow(row: SqlRow): Op | null {
  if (isOpChanged(row)) return null;
  const { seq, uuid, state, created, not_before: notBefore, reason, scans, last_scan: lastScan } = row;
  const stored = tryParseJson(row.action);
  const action = parseAction(stored);
  const extras = parseExtras(stored);
  const attempts = parseAttempts(tryParseJson(row.attempts));
  const baseline = row.baseline === null ? null : parseBaseline(tryParseJson(row.baseline));
  if (action === null || extras === null || attempts === null || baseline === undefined) return null;
  if (typeof seq !== 'number' || typeof uuid !== 'string' || !states.includes(state)) return null;
  if (typeof created !== 'number' || typeof notBefore !== 'number' || typeof scans !== 'number') return null;
  if (!isTextOrNull(reason) || !(lastScan === null || typeof lastScan === 'number')) return null;
  return {
    uuid,
    seq,
    action,
    state: state as Op['state'],
    created,
    notBefore,
    reason: reason === null ? null : fromColumn(reason),
    attempts,
    baseline,
    scans,
    lastScan,
    hasPossibleCopy: hasPossibleCopy(stored, reason),
    ...extras,
  };
}

/** Whether the checksum shows that the row is not what was written. */
export function isOpChanged(row: SqlRow): boolean {
  const columns = ['uuid', 'state', 'created', 'not_before', 'reason', 'attempts', 'baseline', 'scans', 'last_scan'];
  return isSealBroken(
    row.action,
    columns.map((name) => row[name] ?? null),
  );
}

/** A row of `records`. The JSON is an object with the checksum and the value. */
export interface RecordRow {
  readonly kind: string;
  /** As `toColumn` writes it. */
  readonly key: string;
  readonly json: string;
}

/** Read lines have no checksum: there may be one for each conversation, and a start checks every one. */
export const unsealedKind: RecordKind = 'readLines';

export function recordRow(kind: string, key: string, value: unknown): RecordRow {
  const json = JSON.stringify({ value });
  return { kind, key, json: kind === unsealedKind ? json : sealed(json, [kind, key]) };
}

/** Whether the checksum is missing, or shows that the row is not what was written. */
export const isRecordChanged = ({ kind, key, json }: RecordRow | SqlRow): boolean =>
  kind !== unsealedKind && (!isSealed(json) || isSealBroken(json, [kind ?? null, key ?? null]));

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

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

/**
 * The checksum at the beginning of what the user wrote: SQLite has none for the pages of its file, so a flipped bit on the
 * disk would change a word without a sign, and the changed word would be sent.
 */
const seal = /^\{"sum":"([0-9a-f]{8})",/;

/** Puts a checksum of the JSON object and the values beside it into the object, as its first field. */
export function sealed(json: string, beside: readonly SqlValue[]): string {
  return `{"sum":"${sumOf(json, beside)}",${json.slice(1)}`;
}

const isSealed = (text: unknown): boolean => typeof text === 'string' && seal.test(text);

/** A record of a version without checksums counts as unchanged. */
export function isSealBroken(text: unknown, beside: readonly SqlValue[]): boolean {
  const [start, sum] = typeof text === 'string' ? (seal.exec(text) ?? []) : [];
  return typeof text === 'string' && start !== undefined && sumOf(`{${text.slice(start.length)}`, beside) !== sum;
}

const sumOf = (json: string, beside: readonly SqlValue[]): string =>
  crc32(JSON.stringify([json, ...beside]))
    .toString(16)
    .padStart(8, '0');
