/** SQL of messages as each person sees them, with their reactions and attachments. */
import { type MarksColumns, marksColumns } from './marks.ts';
import { type Paging, pageOf } from './page.ts';
import type { PersonRow } from './people.ts';
import type { Dialect, Sql } from './sql.ts';

/** One message as one person sees it; `contact_*` is the author. */
export interface MessageRow extends MarksColumns {
  readonly seq: number;
  readonly id: string;
  readonly thread_seq: number;
  readonly conversation_id: string;
  readonly author_seq: number;
  readonly text: string;
  readonly read_at: number | null;
  readonly created_at: number;
  readonly updated_at: number | null;
  readonly contact_id: string;
  readonly contact_username: string;
  readonly contact_phone_number: string;
  readonly contact_avatar_url: string;
  readonly contact_last_active_at: number | null;
  readonly contact_created_at: number;
}

/** The columns of a message that its author gives it. */
export const authorOf = (author: PersonRow) => ({
  contact_id: author.id,
  contact_username: author.username,
  contact_phone_number: author.phone_number,
  contact_avatar_url: author.avatar_url,
  contact_last_active_at: author.last_active_at,
  contact_created_at: author.created_at,
});

type NewMessage = Pick<MessageRow, 'id' | 'thread_seq' | 'author_seq' | 'text' | 'created_at'> &
  Partial<Pick<MessageRow, 'read_at' | 'updated_at'>>;

/** A message in the conversation of one person. */
interface Delivery {
  readonly conversation_seq: number;
  readonly message_seq: number;
  readonly person_seq: number;
  readonly is_own: number;
  readonly read_at?: number | null;
}

// The reader's own copy says when it was read there; the author sees when anybody else first read it.
const selectionFor = (dialect: Dialect): string => `
SELECT m.seq, m.id, m.thread_seq, c.id AS conversation_id, m.author_seq, m.text,
  CASE WHEN d.is_own = 1 THEN m.read_at ELSE d.read_at END AS read_at, m.created_at, m.updated_at,
  p.id AS contact_id, p.username AS contact_username, p.phone_number AS contact_phone_number,
  p.avatar_url AS contact_avatar_url, p.last_active_at AS contact_last_active_at, p.created_at AS contact_created_at,
  ${marksColumns(dialect)}`;
const joinsFor = ({ joinInOrder }: Dialect): string => `
${joinInOrder} conversations c ON c.seq = d.conversation_seq ${joinInOrder} people p ON p.seq = m.author_seq`;

/** `conversation_id` is null once the conversation is deleted. */
type MessagePlace = Pick<MessageRow, 'seq'> & { readonly conversation_id: string | null };

const selectPlace = `
SELECT m.seq, c.id AS conversation_id FROM messages m JOIN deliveries d ON d.message_seq = m.seq
JOIN conversations c ON c.seq = d.conversation_seq WHERE m.id = ? AND d.person_seq = ?`;
const selectDeletedPlace = `
SELECT d.message_seq AS seq, c.id AS conversation_id FROM deleted_messages d
LEFT JOIN conversations c ON c.seq = d.conversation_seq WHERE d.id = ? AND d.person_seq = ?`;
const conversationOf = '(SELECT seq FROM conversations WHERE id = ? AND person_seq = ?)';

const keepDeletedMessage = `
INSERT INTO deleted_messages (id, person_seq, conversation_seq, message_seq)
SELECT m.id, d.person_seq, d.conversation_seq, m.seq FROM messages m JOIN deliveries d ON d.message_seq = m.seq
WHERE m.seq = ?`;

const deliverOne = `
INSERT INTO deliveries (conversation_seq, message_seq, person_seq, is_own, read_at) VALUES (?, ?, ?, ?, ?)`;
const deliverToThread = `
INSERT INTO deliveries (conversation_seq, message_seq, person_seq, is_own)
SELECT c.seq, m.seq, c.person_seq, CASE WHEN c.person_seq = m.author_seq THEN 1 ELSE 0 END
FROM messages m JOIN conversations c ON c.thread_seq = m.thread_seq WHERE m.id = ? AND `;

const unread = 'conversation_seq = ? AND read_at IS NULL AND is_own = 0';
const selectUnreadAuthors = `
SELECT DISTINCT author_seq FROM messages WHERE read_at IS NULL
  AND seq IN (SELECT message_seq FROM deliveries WHERE ${unread})`;
const markMessagesRead = `
UPDATE messages SET read_at = ? WHERE read_at IS NULL
  AND seq IN (SELECT message_seq FROM deliveries WHERE ${unread})`;

export function createMessageStore(sql: Sql, emptyLogSoon: () => void) {
  return {
    ...createMessageQueries(sql),
    add: (message: NewMessage) => sql.insert('messages', message),
    deliver: ({ conversation_seq, message_seq, person_seq, is_own, read_at = null }: Delivery) =>
      sql.run(deliverOne, conversation_seq, message_seq, person_seq, is_own, read_at),
    /** Delivers a message to those of these people who have a conversation with its thread. */
    deliverTo: (messageId: string, people: readonly number[]) =>
      sql.run(`${deliverToThread}${sql.dialect.inNumbers('c.person_seq')}`, messageId, sql.dialect.numbers(people)),
    set: (seq: number, columns: Partial<Pick<MessageRow, 'text' | 'updated_at'>>) =>
      sql.update('messages', seq, columns),
    remove: async (seq: number): Promise<void> => {
      await sql.run(keepDeletedMessage, seq);
      await sql.run('DELETE FROM messages WHERE seq = ?', seq);
      emptyLogSoon();
    },
    /** Marks what others wrote in this conversation as read; nothing is written when all is read. */
    markRead: async (conversationSeq: number, at: number): Promise<void> => {
      await sql.run(markMessagesRead, at, conversationSeq);
      await sql.run(`UPDATE deliveries SET read_at = ? WHERE ${unread}`, at, conversationSeq);
    },
  };
}

function createMessageQueries(sql: Sql) {
  const selection = selectionFor(sql.dialect);
  const joins = joinsFor(sql.dialect);
  const { joinInOrder } = sql.dialect;
  return {
    byId: (id: string, personSeq: number) =>
      sql.get<MessageRow>(
        `${selection} FROM messages m ${joinInOrder} deliveries d ON d.message_seq = m.seq AND d.person_seq = ?${joins}
        WHERE m.id = ?`,
        personSeq,
        id,
      ),
    /**
     * Lists the messages of a conversation, or all that the person has when `conversationId` is null. There are none
     * where the person has no such conversation.
     */
    list: async (personSeq: number, conversationId: string | null, paging: Paging<number>) => {
      const scope = conversationId === null ? 'd.person_seq = ?' : `d.conversation_seq = ${conversationOf}`;
      const from = paging.cursor === null ? '' : ` AND d.message_seq ${paging.direction === 'older' ? '<' : '>'} ?`;
      const order = `ORDER BY d.message_seq ${paging.direction === 'older' ? 'DESC' : 'ASC'}`;
      // The rows of the page are chosen before the joins: PostgreSQL would otherwise read messages of others on the way.
      const query = `${selection} FROM (SELECT * FROM deliveries d WHERE ${scope}${from} ${order} LIMIT ?) d
        ${joinInOrder} messages m ON m.seq = d.message_seq${joins} ${order}`;
      const cursor = paging.cursor === null ? [] : [paging.cursor];
      const scoped = conversationId === null ? [personSeq] : [conversationId, personSeq];
      const rows = await sql.all<MessageRow>(query, ...scoped, ...cursor, paging.limit + 1);
      return pageOf(rows, paging);
    },
    /** The place of a message of that person (and conversation, unless null), present or deleted. */
    place: async (id: string, personSeq: number, conversationId: string | null): Promise<number | undefined> => {
      const found =
        (await sql.get<MessagePlace>(selectPlace, id, personSeq)) ??
        (await sql.get<MessagePlace>(selectDeletedPlace, id, personSeq));
      if (found === undefined || (conversationId !== null && found.conversation_id !== conversationId))
        return undefined;
      return found.seq;
    },
    /** Everybody who has the message. */
    readers: async (seq: number): Promise<readonly number[]> => {
      const query = 'SELECT person_seq FROM deliveries WHERE message_seq = ?';
      return (await sql.all<{ person_seq: number }>(query, seq)).map((row) => row.person_seq);
    },
    /** The authors of messages that nobody but them has read before this conversation is marked as read. */
    unreadAuthors: async (conversationSeq: number): Promise<readonly number[]> =>
      (await sql.all<{ author_seq: number }>(selectUnreadAuthors, conversationSeq)).map((row) => row.author_seq),
  };
}
