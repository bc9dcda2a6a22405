/** Converts rows of outbox.db to state and back. An unreadable row gives null. */
import { emptyDraft } from '../../state/composer/draft.ts';
import type { Draft, Me, Op, ReadLine } from '../../state/model/app-state.ts';
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
import { isSealBroken, sealed } from './seal.ts';

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

/** Like `isOpChanged`, for a row of `drafts`. */
export const isDraftChanged = (row: SqlRow): boolean => isSealBroken(row.body, [row.conversation_id ?? null]);

/**
 * The stored JSON of a draft, without its undo history. `editing` is stored, as Enter would otherwise post an edit as
 * a new message.
 */
export function draftBody(conversationColumn: string, { text, cursor, editing }: Draft): string {
  return sealed(JSON.stringify({ text, cursor, editing }), [conversationColumn]);
}

export function draftOfBody(body: unknown): Draft | null {
  const value = parseJson(body);
  if (!isObject(value) || typeof value.text !== 'string') return null;
  const { text, cursor } = value;
  const editing = editingOf(value.editing ?? null);
  if (editing === undefined) return null;
  const isInside = typeof cursor === 'number' && Number.isSafeInteger(cursor) && cursor >= 0 && cursor <= text.length;
  return {
    ...emptyDraft,
    text,
    cursor: isInside ? cursor : text.length,
    editing,
  };
}

/** Undefined when it cannot be parsed: such a draft must not become a new message. */
function editingOf(value: unknown): Draft['editing'] | undefined {
  if (value === null) return null;
  if (!isObject(value)) return undefined;
  const { messageId, base, stash } = value;
  if (typeof messageId !== 'string' || typeof base !== 'string') return undefined;
  return typeof stash === 'string' ? { messageId, base, stash } : { messageId, base };
}

export function readLineOfRow(row: SqlRow): ReadLine | null {
  const { message_id: messageId, at } = row;
  if (typeof at !== 'number' || !isTextOrNull(messageId)) return null;
  return { messageId: messageId === null ? null : fromColumn(messageId), at };
}

export function meOfValue(value: unknown): Me | null {
  if (!isObject(value)) return null;
  const { contactId, username } = value;
  if (typeof contactId !== 'string' || !(username === null || typeof username === 'string')) return null;
  return { contactId, username };
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
