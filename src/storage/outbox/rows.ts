/** Converts rows of outbox.db to state and back. An unreadable row gives null. */
import type { RecordKind } from '../../state/local/records.ts';
import type { Op } from '../../state/model/app-state.ts';
import type { SqlRow, SqlValue } from '../sqlite/driver.ts';
import { fromColumn, toColumn } from '../sqlite/sqlite-text.ts';
import { isObject, parseJson } from '../sqlite/stored-json.ts';
import {
  attemptsToJson,
  parseAction,
  parseAttempts,
  parseBaseline,
  parseBeforeImage,
  parseRecipient,
} from './op-parse.ts';
import { isSealBroken, isSealed, sealed } from './seal.ts';

const states: readonly unknown[] = ['queued', 'sending', 'unsure', 'failed'] satisfies readonly Op['state'][];

/** The values for the columns `state, action, created, not_before, reason, attempts, baseline, scans, last_scan`. */
export function opColumns(op: Omit<Op, 'seq'>): SqlValue[] {
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

const extrasOf = ({
  pendingRepair: owed,
  skippedInOrder: letsPass,
  autoResent: resentByItself,
  recipient,
}: Omit<Op, 'seq'>) => ({
  owed,
  letsPass,
  resentByItself,
  recipient,
});

export function opOfRow(row: SqlRow): Op | null {
  if (isOpChanged(row)) return null;
  const { seq, uuid, state, created, not_before: notBefore, reason, scans, last_scan: lastScan } = row;
  const stored = parseJson(row.action);
  const action = parseAction(stored);
  const owed = isObject(stored) && stored.owed !== undefined ? parseBeforeImage(stored.owed) : undefined;
  const recipient = isObject(stored) && stored.recipient !== undefined ? parseRecipient(stored.recipient) : undefined;
  const attempts = parseAttempts(parseJson(row.attempts));
  const baseline = row.baseline === null ? null : parseBaseline(parseJson(row.baseline));
  if (action === null || attempts === null || baseline === undefined) return null;
  if (owed === null || recipient === null) return null;
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
    ...(owed === undefined ? {} : { pendingRepair: owed }),
    ...(isObject(stored) && stored.letsPass === true ? { skippedInOrder: true } : {}),
    ...(isObject(stored) && stored.resentByItself === true ? { autoResent: true } : {}),
    ...(recipient === undefined ? {} : { recipient }),
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
