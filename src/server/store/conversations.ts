/** SQL of threads and of each person's conversation with one. */
import { type Paging, pageOf, rowsToRead } from './page.ts';
import type { Dialect, Sql, SqlValue } from './sql.ts';

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

/** A user of a thread, who may have no conversation with it yet. */
export interface Participant {
  readonly seq: number;
  readonly thread_seq: number;
  readonly conversation_seq: number | null;
}

// The joins begin with the index of the conversations.
const selectionFor = ({ joinInOrder }: Dialect): string => `
SELECT c.seq, c.id, c.thread_seq, c.person_seq, o.id AS contact_id, g.id AS group_id, m.id AS pinned_message_id,
  c.is_pinned, c.is_muted, c.last_active_at, c.last_opened_at, c.created_at, c.archived_at, c.active_at
FROM conversations c ${joinInOrder} threads t ON t.seq = c.thread_seq
LEFT JOIN people o ON o.seq = CASE WHEN t.low_seq = c.person_seq THEN t.high_seq ELSE t.low_seq END
LEFT JOIN chat_groups g ON g.seq = t.group_seq
LEFT JOIN messages m ON m.seq = c.pinned_message_seq`;

/** The thread of a conversation, by the id of the conversation and the person whose it is. */
export const threadOfConversation = `
SELECT o.seq, o.low_seq, o.high_seq, o.group_seq FROM threads o JOIN conversations own ON own.thread_seq = o.seq
WHERE own.id = ? AND own.person_seq = ?`;
/**
 * The pair or the members of the group of each row of `thread`, contacts among them. Each part finds its rows by an
 * index; one condition with OR would read all people.
 */
export const peopleOfThread = `
SELECT seq AS thread_seq, low_seq AS person_seq FROM thread WHERE low_seq IS NOT NULL UNION
SELECT seq, high_seq FROM thread WHERE high_seq IS NOT NULL UNION
SELECT t.seq, g.person_seq FROM thread t JOIN group_members g ON g.group_seq = t.group_seq`;
const participantsOf = (thread: string): string => `
WITH thread AS (${thread})
SELECT p.seq, found.thread_seq, c.seq AS conversation_seq FROM (${peopleOfThread}) found
JOIN people p ON p.seq = found.person_seq AND p.is_user = 1
LEFT JOIN conversations c ON c.thread_seq = found.thread_seq AND c.person_seq = p.seq ORDER BY p.seq`;
const participantsOfThread = participantsOf('SELECT seq, low_seq, high_seq, group_seq FROM threads WHERE seq = ?');
const participantsOfConversation = participantsOf(threadOfConversation);

const keepDeletedMessages = `
INSERT INTO deleted_messages (id, person_seq, conversation_seq, message_seq)
SELECT m.id, d.person_seq, d.conversation_seq, m.seq FROM deliveries d JOIN messages m ON m.seq = d.message_seq
WHERE d.conversation_seq = ?`;

const keepDeletedConversation = `
INSERT INTO deleted_conversations (id, person_seq, active_at, conversation_seq)
SELECT id, person_seq, active_at, seq FROM conversations WHERE seq = ?`;

const deleteMessagesOfNobodyElse = `
DELETE FROM messages WHERE seq IN (SELECT message_seq FROM deliveries WHERE conversation_seq = ?) AND NOT EXISTS
  (SELECT 1 FROM deliveries d WHERE d.message_seq = messages.seq AND d.conversation_seq <> ?)`;

const selectPlace = 'SELECT active_at, seq FROM conversations WHERE id = ? AND person_seq = ?';
const selectDeletedPlace =
  'SELECT active_at, conversation_seq AS seq FROM deleted_conversations WHERE id = ? AND person_seq = ?';

export function createConversationStore(sql: Sql, emptyLogSoon: () => void) {
  const selection = selectionFor(sql.dialect);
  return {
    bySeq: (seq: number) => sql.get<ConversationRow>(`${selection} WHERE c.seq = ?`, seq),
    byId: (id: string, personSeq: number) =>
      sql.get<ConversationRow>(`${selection} WHERE c.id = ? AND c.person_seq = ?`, id, personSeq),
    byThread: (threadSeq: number, personSeq: number) =>
      sql.get<ConversationRow>(`${selection} WHERE c.thread_seq = ? AND c.person_seq = ?`, threadSeq, personSeq),
    add: (row: Pick<ConversationRow, 'id' | 'thread_seq' | 'person_seq' | 'created_at'>) =>
      sql.insert('conversations', row),
    addForEach: (threadSeq: number, ids: readonly (readonly [person: number, id: string])[], at: number) =>
      addConversations(sql, threadSeq, ids, at),
    threadOfPair: (low: number, high: number) => threadOfPair(sql, low, high),
    threadOfGroup: (groupSeq: number) => threadOfGroup(sql, groupSeq),
    participants: (threadSeq: number) => sql.all<Participant>(participantsOfThread, threadSeq),
    /** The users of the thread that this conversation of the person belongs to; none where there is no such conversation. */
    participantsBy: (conversationId: string, personSeq: number) =>
      sql.all<Participant>(participantsOfConversation, conversationId, personSeq),
    list: async (personSeq: number, filter: ConversationFilter, paging: Paging<ConversationPlace>) => {
      const { where, values } = conditionsOf(personSeq, filter, paging);
      const order = paging.direction === 'older' ? 'DESC' : 'ASC';
      const query = `${selection} WHERE ${where.join(' AND ')} ORDER BY c.active_at ${order}, c.seq ${order} LIMIT ${rowsToRead(paging)}`;
      return pageOf(await sql.all<ConversationRow>(query, ...values), paging);
    },
    place: async (id: string, personSeq: number): Promise<ConversationPlace | undefined> =>
      (await sql.get<ConversationPlace>(selectPlace, id, personSeq)) ??
      sql.get<ConversationPlace>(selectDeletedPlace, id, personSeq),
    set: (seq: number, columns: Partial<ConversationColumns>) => sql.update('conversations', seq, columns),
    /** Removes the conversation, its deliveries, and the messages that nobody else has. */
    remove: async (seq: number): Promise<void> => {
      await sql.run(keepDeletedMessages, seq);
      await sql.run(keepDeletedConversation, seq);
      await sql.run(deleteMessagesOfNobodyElse, seq, seq);
      await sql.run('DELETE FROM conversations WHERE seq = ?', seq);
      emptyLogSoon();
    },
  };
}

/** Rows of one statement. */
const rowsInBlock = 500;

async function addConversations(
  sql: Sql,
  threadSeq: number,
  ids: readonly (readonly [person: number, id: string])[],
  at: number,
): Promise<void> {
  const { pairsTable, pairs } = sql.dialect;
  for (let from = 0; from < ids.length; from += rowsInBlock) {
    await sql.run(
      `INSERT INTO conversations (id, thread_seq, person_seq, created_at)
       SELECT n.text, CAST(? AS BIGINT), n.number, CAST(? AS BIGINT) FROM ${pairsTable} n`,
      threadSeq,
      at,
      pairs(ids.slice(from, from + rowsInBlock)),
    );
  }
}

async function threadOfPair(sql: Sql, low: number, high: number): Promise<number> {
  const find = () => sql.get<{ seq: number }>('SELECT seq FROM threads WHERE low_seq = ? AND high_seq = ?', low, high);
  const add = 'INSERT INTO threads (low_seq, high_seq) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING seq';
  return numberOf((await find()) ?? (await sql.get<{ seq: number }>(add, low, high)) ?? (await find()));
}

async function threadOfGroup(sql: Sql, groupSeq: number): Promise<number> {
  const find = () => sql.get<{ seq: number }>('SELECT seq FROM threads WHERE group_seq = ?', groupSeq);
  const add = 'INSERT INTO threads (group_seq) VALUES (?) ON CONFLICT DO NOTHING RETURNING seq';
  return numberOf((await find()) ?? (await sql.get<{ seq: number }>(add, groupSeq)) ?? (await find()));
}

function numberOf(row: { readonly seq: number } | undefined): number {
  if (row === undefined) throw new Error('a thread that was just added is not there');
  return row.seq;
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
