/** Scans cached texts for a search, row by row, so that the search can stop after any row. */
import type { ConversationId } from '../../protocol/types.ts';
import type { HistoryKey, VisitText } from '../../state/cache/cached-history.ts';
import type { Prepare, SqlRow } from '../sqlite/driver.ts';
import { fromColumn, toColumn } from '../sqlite/sqlite-text.ts';
import { keyColumns, timeOfRow } from './rows.ts';

/** Longer texts are cut, so that no row takes long. */
const shownCharacters = 65_536;

const rows = `SELECT id, sort_at, rank, substr(text, 1, ${shownCharacters}) AS text
  FROM messages WHERE conversation_id = ?`;
const newestFirst = 'ORDER BY sort_at DESC, rank DESC, id DESC';

/** Scans the messages before a key, or all of them where it is null; newest first. True when the oldest was reached. */
export function scanTexts(
  prepare: Prepare,
  conversationId: ConversationId,
  before: HistoryKey | null,
  visit: VisitText,
): boolean {
  const id = toColumn(conversationId);
  const found =
    before === null
      ? prepare(`${rows} ${newestFirst}`).iterate(id)
      : prepare(`${rows} AND (sort_at, rank, id) < (?, ?, ?) ${newestFirst}`).iterate(id, ...keyColumns(before));
  for (const row of found) {
    const key = { createdAt: timeOfRow(row), rank: Number(row.rank), id: fromColumn(String(row.id)) };
    if (!visit(key, textOf(row))) return false;
  }
  return true;
}

/** A cut text may end in the middle of an escape (`toColumn`) and is used as it is stored. */
function textOf({ text }: SqlRow): string {
  const column = String(text);
  return column.length < shownCharacters ? fromColumn(column) : column;
}
