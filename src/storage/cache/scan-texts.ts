/** Scans cached texts for a search, row by row, so that the search can stop after any row. */
import type { ConversationId, Message } from '../../protocol/types.ts';
import type { SqlRow, Statement } from '../sqlite/driver.ts';
import { fromColumn, toColumn } from '../sqlite/sqlite-text.ts';
import { keyColumns, type PageKey } from './page-key.ts';
import { messageOfRow } from './rows.ts';
import { noTime } from './schema.ts';

/** The search's verdict on a row: skip it, return its message, or stop before it. */
export type LookAt = (createdAt: number | null, text: string) => 'pass' | 'keep' | 'stop';

export interface LookedThrough {
  /** The messages of the rows to keep, newest first. */
  readonly messages: readonly Message[];
  /** The last row that was scanned; null when there was none. */
  readonly end: PageKey | null;
  /** The scan was stopped before the oldest row. */
  readonly hasMore: boolean;
}

/** Longer texts are cut, so that no row takes long. */
const shownCharacters = 65_536;

const rows = `SELECT key, id, sort_at, rank, substr(text, 1, ${shownCharacters}) AS text
  FROM messages WHERE conversation_id = ?`;
const newestFirst = 'ORDER BY sort_at DESC, rank DESC, id DESC';
const whole = 'SELECT conversation_id, id, sort_at, rank, text, details FROM messages WHERE key = ?';

/** Scans the messages before a key, or all of them where it is null; newest first. */
export function lookThrough(
  prepare: (sql: string) => Statement,
  conversationId: ConversationId,
  before: PageKey | null,
  look: LookAt,
): LookedThrough {
  const id = toColumn(conversationId);
  const found =
    before === null
      ? prepare(`${rows} ${newestFirst}`).iterate(id)
      : prepare(`${rows} AND (sort_at, rank, id) < (?, ?, ?) ${newestFirst}`).iterate(id, ...keyColumns(before));
  const messages: Message[] = [];
  let last: SqlRow | null = null;
  let hasMore = false;
  for (const row of found) {
    const verdict = look(timeOf(row), textOf(row));
    hasMore = verdict === 'stop';
    if (hasMore) break;
    last = row;
    const message = verdict === 'keep' ? messageOfRow(prepare(whole).get(row.key ?? null) ?? row) : null;
    if (message !== null) messages.push(message);
  }
  return { messages, end: last === null ? null : keyOf(last), hasMore };
}

/** A cut text may end in the middle of an escape (`toColumn`) and is used as it is stored. */
function textOf({ text }: SqlRow): string {
  const column = String(text);
  return column.length < shownCharacters ? fromColumn(column) : column;
}

function timeOf(row: SqlRow): number | null {
  const at = Number(row.sort_at);
  return at === noTime ? null : at;
}

const keyOf = (row: SqlRow): PageKey => ({
  createdAt: timeOf(row),
  rank: Number(row.rank),
  id: fromColumn(String(row.id)),
});
