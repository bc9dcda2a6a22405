/** Counts incoming messages after the read lines by the index, and only where the newest message is after the line. */
import type { ConversationId } from '../../protocol/types.ts';
import type { Me, ReadLine } from '../../state/model/app-state.ts';
import type { SqlRow, SqlValue, Statement } from '../sqlite/driver.ts';
import { fromColumn, toColumn } from '../sqlite/sqlite-text.ts';

export type Prepare = (sql: string) => Statement;
export type ReadLines = ReadonlyMap<ConversationId, ReadLine>;

/**
 * Counted no further: nobody is shown more than a hundred, and a history of 100,000 without a line would be read
 * whole.
 */
export const countedMost = 1_000;
const counted = (where: string): string =>
  `SELECT count(*) AS count FROM (SELECT 1 FROM messages WHERE conversation_id = ?${where} LIMIT ${countedMost})`;

/**
 * As `countUnread` in state counts a thread: without a line everything incoming, after the line's own message by
 * position, else after its time. Incoming is what is not known to be the user's.
 */
export function countUnread(prepare: Prepare, lines: ReadLines, me: Me | null): ReadonlyMap<ConversationId, number> {
  const counts = new Map<ConversationId, number>();
  const heads = prepare(
    `SELECT heads.conversation_id, heads.id, heads.sort_at, conversations.contact_id
     FROM heads LEFT JOIN conversations ON conversations.id = heads.conversation_id`,
  ).all();
  for (const head of heads) {
    const found = countOfHead(prepare, head, lines, me);
    if (found > 0) counts.set(fromColumn(String(head.conversation_id)), found);
  }
  return counts;
}

/** `head`: `conversation_id`, `id` and `sort_at` of its newest message, and its `contact_id`. */
export function countOfHead(prepare: Prepare, head: SqlRow, lines: ReadLines, me: Me | null): number {
  const line = lines.get(fromColumn(String(head.conversation_id)));
  return line !== undefined && isRead(head, line) ? 0 : countAfter(prepare, head, line, me);
}

/** Whether the newest message alone shows that nothing is unread. */
function isRead(head: SqlRow, line: ReadLine): boolean {
  if (line.messageId === null) return Number(head.sort_at) <= line.at;
  return head.id === toColumn(line.messageId);
}

function countAfter(prepare: Prepare, head: SqlRow, line: ReadLine | undefined, me: Me | null): number {
  const id = head.conversation_id ?? null;
  const [isAfter, place] = line === undefined ? ['', []] : afterLine(prepare, id, line);
  const [isIncoming, sender] = incoming(head.contact_id ?? null, me);
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

/** Who I am is known, or in a contact conversation who I am not; else every sender counts. */
function incoming(contactId: SqlValue, me: Me | null): readonly [string, readonly SqlValue[]] {
  if (me !== null) return [' AND contact_id IS NOT ?', [toColumn(me.contactId)]];
  return contactId === null ? ['', []] : [' AND (contact_id IS NULL OR contact_id = ?)', [contactId]];
}
