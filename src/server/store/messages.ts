/** SQL of messages and their deliveries. */
import { createReadContact, readMessages, selectMessages, type WithContacts, withContacts } from './message-json.ts';
import { type Paging, pageOf, rowsToRead } from './page.ts';
import { type PostedRow, postMessage } from './post.ts';
import type { Dialect, Sql } from './sql.ts';

interface NewMessage extends PostedRow {
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

/** The columns of a message that the rules read before they change it. */
export interface MessageFacts {
  readonly seq: number;
  readonly author_seq: number;
  readonly text: string;
  readonly conversation_id: string;
}

export interface MessagePage extends WithContacts {
  readonly count: number;
  /** Whether there are further messages beyond the page, in the direction of the cursor. */
  readonly hasMore: boolean;
}

/** `conversation_id` is null once the conversation is deleted. */
interface MessagePlace {
  readonly seq: number;
  readonly conversation_id: string | null;
}

const messageWithId = `messages m JOIN deliveries d ON d.message_seq = m.seq AND d.person_seq = ?
JOIN conversations c ON c.seq = d.conversation_seq WHERE m.id = ?`;
const selectFacts = `SELECT m.seq, m.author_seq, m.text, c.id AS conversation_id FROM ${messageWithId}`;
const selectDelivery = `SELECT d.message_seq, d.is_own, d.read_at, c.id AS conversation_id FROM ${messageWithId}`;
const selectPlace = `
SELECT m.seq, c.id AS conversation_id FROM messages m JOIN deliveries d ON d.message_seq = m.seq
JOIN conversations c ON c.seq = d.conversation_seq WHERE m.id = ? AND d.person_seq = ?`;
const selectDeletedPlace = `
SELECT d.message_seq AS seq, c.id AS conversation_id FROM deleted_messages d
LEFT JOIN conversations c ON c.seq = d.conversation_seq WHERE d.id = ? AND d.person_seq = ?`;

interface PageShape {
  readonly isOfConversation: boolean;
  readonly hasCursor: boolean;
  readonly isOlder: boolean;
  readonly rows: number;
}

/** The texts of the SELECTs by engine and chosen rows: making one takes longer than finding it here. */
const selects = new Map<string, string>();

function selectMade(dialect: Dialect, chosen: string, makeChosen: () => string): string {
  const key = `${dialect.name} ${chosen}`;
  const select = selects.get(key) ?? selectMessages(dialect, makeChosen());
  selects.set(key, select);
  return select;
}

const selectOne = (dialect: Dialect): string => selectMade(dialect, 'one', () => selectDelivery);

const selectPage = (dialect: Dialect, shape: PageShape): string =>
  selectMade(dialect, Object.values(shape).join(), () => selectChosen(shape));

/** Makes a SELECT whose parameters are those of the scope and the cursor, if there is one. */
function selectChosen({ isOfConversation, hasCursor, isOlder, rows }: PageShape): string {
  const scope = isOfConversation
    ? `CAST(? AS text) AS conversation_id FROM deliveries d
       WHERE d.conversation_seq = (SELECT seq FROM conversations WHERE id = ? AND person_seq = ?)`
    : `(SELECT c.id FROM conversations c WHERE c.seq = d.conversation_seq) AS conversation_id FROM deliveries d
       WHERE d.person_seq = ?`;
  const from = hasCursor ? ` AND d.message_seq ${isOlder ? '<' : '>'} ?` : '';
  return `SELECT d.message_seq, d.is_own, d.read_at, ${scope}${from}
    ORDER BY d.message_seq ${isOlder ? 'DESC' : 'ASC'} LIMIT ${rows}`;
}

const keepDeletedMessage = `
INSERT INTO deleted_messages (id, person_seq, conversation_seq, message_seq)
SELECT m.id, d.person_seq, d.conversation_seq, m.seq FROM messages m JOIN deliveries d ON d.message_seq = m.seq
WHERE m.seq = ?`;

const deliverOne = `
INSERT INTO deliveries (conversation_seq, message_seq, person_seq, is_own, read_at) VALUES (?, ?, ?, ?, ?)`;
const unread = 'conversation_seq = ? AND read_at IS NULL AND is_own = 0';
const selectUnread = `
SELECT m.author_seq, CASE WHEN m.read_at IS NULL THEN 1 ELSE 0 END AS is_first, max(m.seq) AS last
FROM deliveries d JOIN messages m ON m.seq = d.message_seq
WHERE d.conversation_seq = ? AND d.read_at IS NULL AND d.is_own = 0 GROUP BY m.author_seq, is_first`;
const markMessagesRead = `
UPDATE messages SET read_at = ? WHERE read_at IS NULL
  AND seq IN (SELECT message_seq FROM deliveries WHERE ${unread} AND message_seq <= ?)`;
const markDeliveriesRead = `UPDATE deliveries SET read_at = ? WHERE ${unread} AND message_seq <= ?`;

export function createMessageStore(sql: Sql, emptyLogSoon: () => void) {
  return {
    ...createMessageQueries(sql),
    add: (message: NewMessage) => sql.insert('messages', message),
    deliver: ({ conversation_seq, message_seq, person_seq, is_own, read_at = null }: Delivery) =>
      sql.run(deliverOne, conversation_seq, message_seq, person_seq, is_own, read_at),
    post: (row: PostedRow, people: readonly number[]) => postMessage(sql, row, people),
    set: async (seq: number, columns: Partial<Pick<NewMessage, 'text' | 'updated_at'>>): Promise<void> => {
      await sql.update('messages', seq, columns);
      if (columns.text !== undefined) emptyLogSoon();
    },
    remove: async (seq: number): Promise<void> => {
      await sql.run(keepDeletedMessage, seq);
      await sql.run('DELETE FROM messages WHERE seq = ?', seq);
      emptyLogSoon();
    },
    /** Marks what others wrote in this conversation up to a message as read; nothing is written when all is read. */
    markRead: async (conversationSeq: number, at: number, last: number): Promise<void> => {
      await sql.run(markMessagesRead, at, conversationSeq, last);
      await sql.run(markDeliveriesRead, at, conversationSeq, last);
    },
  };
}

function createMessageQueries(sql: Sql) {
  const readContact = createReadContact(sql);

  const list = async (
    personSeq: number,
    conversationId: string | null,
    paging: Paging<number>,
  ): Promise<MessagePage> => {
    const isOlder = paging.direction === 'older';
    const shape = {
      isOfConversation: conversationId !== null,
      hasCursor: paging.cursor !== null,
      isOlder,
      rows: rowsToRead(paging),
    };
    const scoped = conversationId === null ? [personSeq] : [conversationId, conversationId, personSeq];
    const cursor = paging.cursor === null ? [] : [paging.cursor];
    const read = await readMessages(sql, selectPage(sql.dialect, shape), ...scoped, ...cursor);
    const { rows, hasMore } = pageOf(isOlder ? read : read.toReversed(), paging);
    const page = await withContacts(rows, readContact);
    return page === null ? list(personSeq, conversationId, paging) : { ...page, count: rows.length, hasMore };
  };

  return {
    facts: (id: string, personSeq: number) => sql.get<MessageFacts>(selectFacts, personSeq, id),
    /** Resolves to the message as JSON text; undefined when the person has no such message. */
    byId: async (id: string, personSeq: number): Promise<string | undefined> => {
      const texts = await readMessages(sql, selectOne(sql.dialect), personSeq, id);
      return texts.length === 0 ? undefined : (await withContacts(texts, readContact))?.json;
    },
    /**
     * Lists the messages of a conversation, or all that the person has when `conversationId` is null. There are none
     * where the person has no such conversation.
     */
    list,
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
    /**
     * What others wrote in this conversation and is not read: the number of the last such message, 0 without one, and the
     * authors of those that nobody has read anywhere.
     */
    unread: async (
      conversationSeq: number,
    ): Promise<{ readonly last: number; readonly authors: readonly number[] }> => {
      const rows = await sql.all<{ author_seq: number; is_first: number; last: number }>(selectUnread, conversationSeq);
      const authors = rows.filter((row) => row.is_first === 1).map((row) => row.author_seq);
      return { last: Math.max(0, ...rows.map((row) => row.last)), authors };
    },
  };
}
