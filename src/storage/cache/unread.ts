/** Counts incoming messages after the read lines by an index, only where the newest message is after the line. */
import type { ConversationId } from '../../protocol/types.ts';
import type { Me, ReadLine } from '../../state/model/app-state.ts';
import type { Prepare, SqlRow, SqlValue } from '../sqlite/driver.ts';
import { fromColumn, toColumn } from '../sqlite/sqlite-text.ts';

export type ReadLines = ReadonlyMap<ConversationId, ReadLine>;

/** Counting stops here, so that a long unread history is not read whole. The list writes more than 99 as `99+`. */
export const countedMost = 1_000;
const counted = (where: string): string =>
  `SELECT count(*) AS count FROM (SELECT 1 FROM messages WHERE conversation_id = ?${where} LIMIT ${countedMost})`;

/**
 * The same rule as `countUnread` of `state/local/unread.ts`: without a line all incoming messages count; otherwise
 * those after the line's message, or after its time where that message is not cached. A message is incoming unless it
 * is known to be the user's own.
 * @param head the row of the newest message: `conversation_id`, `id`, `sort_at`, and `contact_id` of the conversation
 */
export function countOfHead(prepare: Prepare, head: SqlRow, lines: ReadLines, me: Me | null): number {
  const line = lines.get(fromColumn(String(head.conversation_id)));
  return line !== undefined && isRead(head, line) ? 0 : countAfter(prepare, head, line, me);
}

/**
 * Every conversation of which the newest message may be unread, with its count. Those that are read cost one row of two
 * small tables.
 */
export function* unreadRows(
  prepare: Prepare,
  lines: ReadLines,
  me: Me | null,
): Generator<{ readonly row: SqlRow; readonly count: number }> {
  const heads = prepare(
    `SELECT h.conversation_id, h.id, h.sort_at, c.contact_id FROM heads h
     JOIN conversations c ON c.id = h.conversation_id`,
  ).all();
  const body = prepare(
    `SELECT c.body, k.body AS contact FROM conversations c LEFT JOIN contacts k ON k.id = c.contact_id WHERE c.id = ?`,
  );
  for (const head of heads) {
    const count = countOfHead(prepare, head, lines, me);
    const row = count === 0 ? undefined : body.get(head.conversation_id ?? null);
    if (row !== undefined) yield { row, count };
  }
}

/** Whether the newest message alone shows that nothing is unread. */
function isRead(head: SqlRow, line: ReadLine): boolean {
  if (line.messageId === null) return Number(head.sort_at) <= line.at;
  return head.id === toColumn(line.messageId);
}

function countAfter(prepare: Prepare, head: SqlRow, line: ReadLine | undefined, me: Me | null): number {
  const id = head.conversation_id ?? null;
  const [isAfter, place] = line === undefined ? ['', []] : afterLine(prepare, id, line);
  const [isIncoming, sender] = incoming(id, head.contact_id ?? null, me);
  return Number(prepare(counted(`${isAfter}${isIncoming}`)).get(id, ...place, ...sender)?.count ?? 0);
}

function afterLine(prepare: Prepare, conversationId: SqlValue, line: ReadLine): readonly [string, readonly SqlValue[]] {
  const own =
    line.messageId === null
      ? undefined
      : prepare('SELECT sort_at, rank, id FROM messages WHERE conversation_id = ? AND id = ?').get(
          conversationId,
          toColumn(line.messageId),
        );
  if (own === undefined) return [' AND sort_at > ?', [line.at]];
  return [' AND (sort_at, rank, id) > (?, ?, ?)', Object.values(own)];
}

/** Whether nobody with this id wrote one of the newest messages. */
const isSilent = `NOT EXISTS (SELECT 1 FROM (SELECT contact_id FROM messages WHERE conversation_id = ?
  ORDER BY sort_at DESC, rank DESC, id DESC LIMIT ${countedMost}) WHERE contact_id = ?)`;

/** The condition for messages that are not the user's own: the rule of `ownershipAmong` in `state/local/identity.ts`. */
function incoming(id: SqlValue, contactId: SqlValue, me: Me | null): readonly [string, readonly SqlValue[]] {
  if (me !== null) return [' AND contact_id IS NOT ?', [toColumn(me.contactId)]];
  if (contactId === null) return ['', []];
  return [` AND (contact_id IS NULL OR contact_id = ? OR ${isSilent})`, [contactId, id, contactId]];
}
