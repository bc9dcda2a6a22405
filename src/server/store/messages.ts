/** SQL of messages and their deliveries. */
import { readMessages } from './message-rows.ts';
import { type Paging, pageOf } from './page.ts';
import type { Sql } from './sql.ts';

interface NewMessage {
  readonly id: string;
  readonly thread_seq: number;
  readonly author_seq: number;
  readonly text: string;
  readonly created_at: number;
  readonly read_at?: number | null;
  readonly updated_at?: number | null;
}

/** A message in the conversation of one person. */
interface Delivery {
  readonly conversation_seq: number;
  readonly message_seq: number;
  readonly person_seq: number;
  readonly is_own: number;
  readonly read_at?: number | null;
}

/** `conversation_id` is null once the conversation is deleted. */
interface MessagePlace {
  readonly seq: number;
  readonly conversation_id: string | null;
}

const selectDelivery = `
SELECT d.* FROM messages m JOIN deliveries d ON d.message_seq = m.seq AND d.person_seq = ? WHERE m.id = ?`;
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
    set: (seq: number, columns: Partial<Pick<NewMessage, 'text' | 'updated_at'>>) =>
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
  return {
    byId: async (id: string, personSeq: number) => (await readMessages(sql, selectDelivery, personSeq, id))[0],
    /**
     * Lists the messages of a conversation, or all that the person has when `conversationId` is null. There are none
     * where the person has no such conversation.
     */
    list: async (personSeq: number, conversationId: string | null, paging: Paging<number>) => {
      const isOlder = paging.direction === 'older';
      const scope = conversationId === null ? 'person_seq = ?' : `conversation_seq = ${conversationOf}`;
      const from = paging.cursor === null ? '' : ` AND message_seq ${isOlder ? '<' : '>'} ?`;
      const chosen = `SELECT * FROM deliveries WHERE ${scope}${from} ORDER BY message_seq ${isOlder ? 'DESC' : 'ASC'} LIMIT ?`;
      const cursor = paging.cursor === null ? [] : [paging.cursor];
      const scoped = conversationId === null ? [personSeq] : [conversationId, personSeq];
      const rows = await readMessages(sql, chosen, ...scoped, ...cursor, paging.limit + 1);
      return pageOf(isOlder ? rows.toReversed() : rows, paging);
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
