/** Records of the outbox that could not be read. They are kept in its file until the user discards them. */
import { isObject } from '../../protocol/fields.ts';
import { openOutbox } from '../../storage/outbox/open.ts';
import type { StoredOutbox } from '../../storage/outbox/outbox.ts';
import type { AsideRow } from '../../storage/outbox/set-aside.ts';
import { StorageError } from '../../storage/sqlite/errors.ts';
import { tryParseJson } from '../../storage/sqlite/sqlite-text.ts';
import type { Account } from '../headless/account.ts';
import { ExitError, exitCodes } from '../process/exit.ts';

export interface Unreadable {
  /** The name by which it is discarded. */
  readonly op: string;
  /** What it was: a kind of change, such as `message.send`, or of record, such as `drafts`. */
  readonly kind: string;
  readonly conversationId: string | null;
  /** What the user wrote; where even that cannot be found, what is there instead of it. */
  readonly text: string;
  readonly row: AsideRow;
}

/** Those that a chat has set aside at its start; none where the disk refuses, which the account reports. */
export function unreadableIn({ opened }: Account): readonly Unreadable[] {
  try {
    return withOutbox(opened.dataDirectory, (outbox) => outbox.rowsAside()).map(unreadableOf);
  } catch (error) {
    if (error instanceof StorageError) return [];
    throw error;
  }
}

/** @throws ExitError where the disk refuses */
export function discardUnreadable({ opened }: Account, { row }: Unreadable): void {
  try {
    withOutbox(opened.dataDirectory, (outbox) => outbox.removeAside(row.number));
  } catch (error) {
    throw error instanceof StorageError ? new ExitError(exitCodes.failure, error.message) : error;
  }
}

function withOutbox<T>(directory: string, use: (outbox: StoredOutbox) => T): T {
  const outbox = openOutbox(directory, { role: 'reader' });
  try {
    return use(outbox);
  } finally {
    outbox.close();
  }
}

function unreadableOf(row: AsideRow): Unreadable {
  const record = fieldsOf(tryParseJson(row.record));
  const isOp = row.source === 'ops';
  const column = textOf(isOp ? record.action : record.json);
  const stored = fieldsOf(tryParseJson(column));
  const value = isOp ? stored : fieldsOf(stored.value);
  const conversationId = isOp ? value.conversationId : record.kind === 'drafts' ? record.key : null;
  const text = value.text ?? fieldsOf(value.first).text ?? (isOp ? null : stored.value);
  return {
    op: `aside-${row.number}`,
    kind: textOf(isOp ? value.kind : record.kind) || row.source,
    conversationId: typeof conversationId === 'string' ? conversationId : null,
    text: typeof text === 'string' ? text : column || row.record,
    row,
  };
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {});

/** The text of a column, which is stored as bytes where it is no text. */
function textOf(column: unknown): string {
  if (typeof column === 'string') return column;
  const { base64 } = fieldsOf(column);
  return typeof base64 === 'string' ? Buffer.from(base64, 'base64').toString() : '';
}
