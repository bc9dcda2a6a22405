/** SQL of threads and of each person's conversation with one. */
import type { Sql, SqlValue } from './database.ts';
import { type Paging, pageOf } from './page.ts';

export interface ConversationRow {
  readonly seq: number;
  readonly id: string;
  readonly thread_seq: number;
  readonly person_seq: number;
  readonly contact_id: string | null;
  readonly group_id: string | null;
  readonly pinned_message_id: string | null;
  readonly is_pinned: number;
  readonly is_muted: number;
  readonly last_active_at: number | null;
  readonly last_opened_at: number | null;
  readonly created_at: number;
  readonly archived_at: number | null;
  readonly active_at: number;
}

export interface ConversationFilter {
  readonly muted: boolean;
  readonly archived: boolean;
  readonly pinned: boolean;
  readonly groupId: string | null;
}

/** The position of a conversation in the list. It is kept after a deletion, so that the id still works as a cursor. */
export interface ConversationPlace {
  readonly active_at: number;
  readonly seq: number;
}

/** The columns that change. */
type ConversationColumns = Pick<
  ConversationRow,
  'is_pinned' | 'is_muted' | 'archived_at' | 'created_at' | 'last_active_at' | 'last_opened_at'
> & { readonly pinned_message_seq: number | null };

// CROSS JOIN makes the query planner begin with the index of the conversations.
const selection = `
SELECT c.seq, c.id, c.thread_seq, c.person_seq, o.id AS contact_id, g.id AS group_id, m.id AS pinned_message_id,
  c.is_pinned, c.is_muted, c.last_active_at, c.last_opened_at, c.created_at, c.archived_at, c.active_at
FROM conversations c CROSS JOIN threads t ON t.seq = c.thread_seq
LEFT JOIN people o ON o.seq = CASE WHEN t.low_seq = c.person_seq THEN t.high_seq ELSE t.low_seq END
LEFT JOIN chat_groups g ON g.seq = t.group_seq
LEFT JOIN messages m ON m.seq = c.pinned_message_seq`;

const selectUsersOfThread = `
SELECT p.seq FROM threads t JOIN people p ON p.is_user = 1 AND (p.seq IN (t.low_seq, t.high_seq)
  OR p.seq IN (SELECT person_seq FROM group_members WHERE group_seq = t.group_seq)) WHERE t.seq = ?`;

const keepDeletedMessages = `
INSERT INTO deleted_messages (id, person_seq, conversation_seq, message_seq)
SELECT m.id, d.person_seq, d.conversation_seq, m.seq FROM deliveries d JOIN messages m ON m.seq = d.message_seq
WHERE d.conversation_seq = ?`;

const deleteMessagesOfNobodyElse = `
DELETE FROM messages WHERE seq IN (SELECT message_seq FROM deliveries WHERE conversation_seq = ?1) AND NOT EXISTS
  (SELECT 1 FROM deliveries d WHERE d.message_seq = messages.seq AND d.conversation_seq <> ?1)`;

export function createConversationStore(sql: Sql) {
  return {
    bySeq: (seq: number) => sql.get<ConversationRow>(`${selection} WHERE c.seq = ?`, seq),
    byId: (id: string, personSeq: number) =>
      sql.get<ConversationRow>(`${selection} WHERE c.id = ? AND c.person_seq = ?`, id, personSeq),
    byThread: (threadSeq: number, personSeq: number) =>
      sql.get<ConversationRow>(`${selection} WHERE c.thread_seq = ? AND c.person_seq = ?`, threadSeq, personSeq),
    add: (row: Pick<ConversationRow, 'id' | 'thread_seq' | 'person_seq' | 'created_at'>): number =>
      sql.insert('conversations', row),
    threadOfPair: (low: number, high: number): number => {
      const found = sql.get<{ seq: number }>('SELECT seq FROM threads WHERE low_seq = ? AND high_seq = ?', low, high);
      return found?.seq ?? sql.insert('threads', { low_seq: low, high_seq: high });
    },
    threadOfGroup: (groupSeq: number): number => {
      const found = sql.get<{ seq: number }>('SELECT seq FROM threads WHERE group_seq = ?', groupSeq);
      return found?.seq ?? sql.insert('threads', { group_seq: groupSeq });
    },
    /** The users of a thread, whether or not they have a conversation with it yet. */
    usersOfThread: (threadSeq: number): readonly number[] =>
      sql.all<{ seq: number }>(selectUsersOfThread, threadSeq).map((row) => row.seq),
    list: (personSeq: number, filter: ConversationFilter, paging: Paging<ConversationPlace>) => {
      const { where, values } = conditionsOf(personSeq, filter, paging);
      const order = paging.direction === 'older' ? 'DESC' : 'ASC';
      const query = `${selection} WHERE ${where.join(' AND ')} ORDER BY c.active_at ${order}, c.seq ${order} LIMIT ?`;
      return pageOf(sql.all<ConversationRow>(query, ...values, paging.limit + 1), paging);
    },
    place: (id: string, personSeq: number): ConversationPlace | undefined =>
      sql.get<ConversationPlace>(
        'SELECT active_at, seq FROM conversations WHERE id = ? AND person_seq = ?',
        id,
        personSeq,
      ) ??
      sql.get<ConversationPlace>(
        'SELECT active_at, conversation_seq AS seq FROM deleted_conversations WHERE id = ? AND person_seq = ?',
        id,
        personSeq,
      ),
    set: (seq: number, columns: Partial<ConversationColumns>) => sql.update('conversations', seq, columns),
    /** Removes the conversation, its deliveries, and the messages that nobody else has. */
    remove: (row: ConversationRow) => {
      sql.run(keepDeletedMessages, row.seq);
      const { id, person_seq, active_at, seq } = row;
      sql.insert('deleted_conversations', { id, person_seq, active_at, conversation_seq: seq });
      sql.run(deleteMessagesOfNobodyElse, row.seq);
      sql.run('DELETE FROM conversations WHERE seq = ?', row.seq);
      sql.emptyLogSoon();
    },
  };
}

/** The conditions of a page of the list, and the values of their parameters. */
function conditionsOf(personSeq: number, filter: ConversationFilter, paging: Paging<ConversationPlace>) {
  const where = ['c.person_seq = ?'];
  const values: SqlValue[] = [personSeq];
  if (filter.muted) where.push('c.is_muted = 1');
  if (filter.pinned) where.push('c.is_pinned = 1');
  if (filter.archived) where.push('c.archived_at IS NOT NULL');
  if (filter.groupId !== null) {
    where.push('c.thread_seq = (SELECT t.seq FROM threads t JOIN chat_groups g ON g.seq = t.group_seq WHERE g.id = ?)');
    values.push(filter.groupId);
  }
  if (paging.cursor !== null) {
    where.push(`(c.active_at, c.seq) ${paging.direction === 'older' ? '<' : '>'} (?, ?)`);
    values.push(paging.cursor.active_at, paging.cursor.seq);
  }
  return { where, values };
}

export type ConversationStore = ReturnType<typeof createConversationStore>;
