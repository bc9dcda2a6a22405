/** Reads pages of cached history. A page is limited in bytes as well as in rows, so that reading it takes milliseconds. */
import type { ConversationId, Message } from '../../protocol/types.ts';
import type { HistoryPage, Outline, PageFrom } from '../../state/cache/cached-history.ts';
import { sameValue } from '../../state/collections/equal.ts';
import type { Prepare, SqlRow, SqlValue } from '../sqlite/driver.ts';
import { fromColumn, toColumn } from '../sqlite/sqlite-text.ts';
import { keyColumns, messageOfRow } from './rows.ts';

/** A longer text, in bytes, is read by a separate query, where it is needed: a megabyte takes milliseconds. */
const longBytes = 4_096;
/** A page ends before the text that would make it longer, in bytes; a text that is longer by itself is a page alone. */
const pageBytes = 262_144;

/** SQLite finds the length in the header of the row, without reading a long text. */
const select = `SELECT key, conversation_id, id, sort_at, rank, details, octet_length(text) AS bytes,
  CASE WHEN octet_length(text) > ${longBytes} THEN '' ELSE text END AS text FROM messages WHERE conversation_id = ?`;
const newestFirst = 'ORDER BY sort_at DESC, rank DESC, id DESC LIMIT ?';
const oldestFirst = 'ORDER BY sort_at, rank, id LIMIT ?';
const isLong = (row: SqlRow): boolean => Number(row.bytes) > longBytes;

/** At most `limit` messages, fewer where texts are long; oldest first. The long text of `held` is not read again. */
export function historyPage(
  prepare: Prepare,
  id: ConversationId,
  from: PageFrom,
  limit: number,
  held?: Message,
): HistoryPage {
  const rows = rowsOf(prepare, id, from, limit);
  const whole = prepare('SELECT text FROM messages WHERE key = ?');
  const messages: Message[] = [];
  let bytes = 0;
  let seen = 0;
  for (const row of rows.slice(0, limit)) {
    const known = isLong(row) && held !== undefined && isRowOf(held, row) ? held : null;
    if (known === null) bytes += Number(row.bytes);
    if (bytes > pageBytes && messages.length > 0) break;
    seen++;
    // Another process may have deleted the row meanwhile.
    const text = known === null && isLong(row) ? whole.get(row.key ?? null)?.text : row.text;
    const message = known ?? (text === undefined ? null : messageOfRow({ ...row, text }));
    if (message !== null) messages.push(message);
  }
  const isUpwards = from !== 'newest' && 'after' in from;
  return { messages: isUpwards ? messages : messages.reverse(), hasMore: rows.length > seen };
}

/** Compares all but the text: a changed text changes other fields as well. */
function isRowOf(held: Message, row: SqlRow): boolean {
  if (toColumn(held.id) !== row.id) return false;
  return sameValue({ ...held, text: '' }, messageOfRow({ ...row, text: '' }));
}

/** The newest `limit` messages without long texts. */
export function outlineOf(prepare: Prepare, id: ConversationId, limit: number): Outline {
  const rows = rowsOf(prepare, id, 'newest', limit);
  const shown = rows.slice(0, limit);
  const withoutText = new Set(shown.filter(isLong).map((row) => fromColumn(String(row.id))));
  return { messages: parsed(shown).reverse(), withoutText, hasMore: rows.length > limit };
}

/** Reads one row more than `limit`, to know whether there are more. */
function rowsOf(prepare: Prepare, conversationId: ConversationId, from: PageFrom, limit: number): readonly SqlRow[] {
  const id = toColumn(conversationId);
  const ask = (where: string, ...place: SqlValue[]): SqlRow[] =>
    prepare(`${select} ${where}`).all(id, ...place, limit + 1);
  if (from === 'newest') return ask(newestFirst);
  if ('after' in from) return ask(`AND (sort_at, rank, id) > (?, ?, ?) ${oldestFirst}`, ...keyColumns(from.after));
  return ask(`AND (sort_at, rank, id) < (?, ?, ?) ${newestFirst}`, ...keyColumns(from.before));
}

const parsed = (rows: readonly SqlRow[]): Message[] => rows.flatMap((row) => messageOfRow(row) ?? []);
