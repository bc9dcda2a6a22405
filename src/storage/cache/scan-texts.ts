/** Shows cached texts to a search, row by row, so that it can stop after any of them. */
import type { ConversationId, Message } from '../../protocol/types.ts';
import type { SqlRow, Statement } from '../sqlite/driver.ts';
import { fromColumn, toColumn } from '../sqlite/sqlite-text.ts';
import { keyColumns, type PageKey } from './page-key.ts';
import { messageOfRow } from './rows.ts';
import { noTime } from './schema.ts';

/** What a search makes of a row: passed over, wanted whole, or not looked at any more, for now. */
export type LookAt = (createdAt: number | null, text: string) => 'pass' | 'keep' | 'stop';

export interface LookedThrough {
  /** The wanted ones, newest first. */
  readonly messages: readonly Message[];
  /** The last row that was looked at; null when there was none. */
  readonly end: PageKey | null;
  /** It was told to stop before the oldest row. */
  readonly hasMore: boolean;
}

/** Longer texts are shown cut, so that no row takes long. */
const shownCharacters = 65_536;

const rows = `SELECT key, id, sort_at, rank, substr(text, 1, ${shownCharacters}) AS text
  FROM messages WHERE conversation_id = ?`;
const newestFirst = 'ORDER BY sort_at DESC, rank DESC, id DESC';
const whole = 'SELECT conversation_id, id, sort_at, rank, text, details FROM messages WHERE key = ?';

/** Those before a key, or all of them. */
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

/** One that is cut may end within its notation (`toColumn`), and is taken as it stands. */
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
