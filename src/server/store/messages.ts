/** SQL of messages as each person sees them, with their reactions and attachments. */
import type { Sql } from './database.ts';
import { type Paging, pageOf } from './page.ts';

/** One message as one person sees it; `contact_*` is the author. */
export interface MessageRow {
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
const selection = `
SELECT m.seq, m.id, m.thread_seq, c.id AS conversation_id, m.author_seq, m.text,
  CASE WHEN d.is_own = 1 THEN m.read_at ELSE d.read_at END AS read_at, m.created_at, m.updated_at,
  p.id AS contact_id, p.username AS contact_username, p.phone_number AS contact_phone_number,
  p.avatar_url AS contact_avatar_url, p.last_active_at AS contact_last_active_at, p.created_at AS contact_created_at`;
const joins = `
CROSS JOIN conversations c ON c.seq = d.conversation_seq CROSS JOIN people p ON p.seq = m.author_seq`;

type MessagePlace = Pick<Delivery, 'conversation_seq'> & Pick<MessageRow, 'seq'>;

const selectPlace = `
SELECT m.seq, d.conversation_seq FROM messages m JOIN deliveries d ON d.message_seq = m.seq
WHERE m.id = ? AND d.person_seq = ?`;
const selectDeletedPlace =
  'SELECT message_seq AS seq, conversation_seq FROM deleted_messages WHERE id = ? AND person_seq = ?';

const keepDeletedMessage = `
INSERT INTO deleted_messages (id, person_seq, conversation_seq, message_seq)
SELECT m.id, d.person_seq, d.conversation_seq, m.seq FROM messages m JOIN deliveries d ON d.message_seq = m.seq
WHERE m.seq = ?`;

export function createMessageStore(sql: Sql) {
  return {
    byId: (id: string, personSeq: number) =>
      sql.get<MessageRow>(
        `${selection} FROM messages m CROSS JOIN deliveries d ON d.message_seq = m.seq AND d.person_seq = ?${joins} WHERE m.id = ?`,
        personSeq,
        id,
      ),
    /** Lists the messages of a conversation, or all that the person has when `conversationSeq` is null. */
    list: (personSeq: number, conversationSeq: number | null, paging: Paging<number>) => {
      const scope = conversationSeq === null ? 'd.person_seq = ?' : 'd.conversation_seq = ?';
      const from = paging.cursor === null ? '' : ` AND d.message_seq ${paging.direction === 'older' ? '<' : '>'} ?`;
      const query = `${selection} FROM deliveries d CROSS JOIN messages m ON m.seq = d.message_seq${joins}
        WHERE ${scope}${from} ORDER BY d.message_seq ${paging.direction === 'older' ? 'DESC' : 'ASC'} LIMIT ?`;
      const cursor = paging.cursor === null ? [] : [paging.cursor];
      return pageOf(sql.all<MessageRow>(query, conversationSeq ?? personSeq, ...cursor, paging.limit + 1), paging);
    },
    /** The place of a message of that person (and conversation, unless null), present or deleted. */
    place: (id: string, personSeq: number, conversationSeq: number | null): number | undefined => {
      const found =
        sql.get<MessagePlace>(selectPlace, id, personSeq) ?? sql.get<MessagePlace>(selectDeletedPlace, id, personSeq);
      if (found === undefined || (conversationSeq !== null && found.conversation_seq !== conversationSeq))
        return undefined;
      return found.seq;
    },
    add: (message: NewMessage): number => sql.insert('messages', message),
    deliver: (delivery: Delivery) => sql.insert('deliveries', delivery),
    set: (seq: number, columns: Partial<Pick<MessageRow, 'text' | 'updated_at'>>) =>
      sql.update('messages', seq, columns),
    remove: (seq: number) => {
      sql.run(keepDeletedMessage, seq);
      sql.run('DELETE FROM messages WHERE seq = ?', seq);
      sql.emptyLogSoon();
    },
    /** Marks what others wrote in this conversation, up to a message, as read; nothing is written when all is read. */
    markRead: (conversationSeq: number, at: number, upTo = Number.MAX_SAFE_INTEGER) => {
      const unread = 'conversation_seq = ? AND read_at IS NULL AND is_own = 0 AND message_seq <= ?';
      sql.run(
        `UPDATE messages SET read_at = ? WHERE read_at IS NULL AND seq IN (SELECT message_seq FROM deliveries WHERE ${unread})`,
        at,
        conversationSeq,
        upTo,
      );
      sql.run(`UPDATE deliveries SET read_at = ? WHERE ${unread}`, at, conversationSeq, upTo);
    },
  };
}

export type MessageStore = ReturnType<typeof createMessageStore>;
