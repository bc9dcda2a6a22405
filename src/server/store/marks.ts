/** SQL for the reactions and attachments of messages. */
import type { Sql } from './sql.ts';

export interface ReactionRow {
  readonly message_seq: number;
  readonly name: string;
  readonly username: string;
}

export interface AttachmentRow {
  readonly id: string;
  readonly message_seq: number;
  readonly filename: string;
  readonly file_url: string;
  readonly file_type: string | null;
  readonly file_size: number | null;
  readonly created_at: number;
}

export function createMarkStore(sql: Sql) {
  const { inNumbers, numbers } = sql.dialect;
  const ofOne = 'DELETE FROM reactions WHERE message_seq = ? AND person_seq = ?';
  return {
    /** In the order they were given; one query for a whole page of messages. */
    reactions: (messageSeqs: readonly number[]) =>
      sql.all<ReactionRow>(
        `SELECT r.message_seq, r.name, p.username FROM reactions r JOIN people p ON p.seq = r.person_seq
         WHERE ${inNumbers('r.message_seq')} ORDER BY r.seq`,
        numbers(messageSeqs),
      ),
    attachments: (messageSeqs: readonly number[]) =>
      sql.all<AttachmentRow>(
        `SELECT * FROM attachments WHERE ${inNumbers('message_seq')} ORDER BY seq`,
        numbers(messageSeqs),
      ),
    /** Returns whether the reaction is new. */
    addReaction: async (messageSeq: number, name: string, personSeq: number): Promise<boolean> => {
      const text =
        'INSERT INTO reactions (message_seq, name, person_seq) VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING seq';
      return (await sql.get(text, messageSeq, name, personSeq)) !== undefined;
    },
    /** Removes one reaction of a person, or all when `name` is null. Returns whether there was one. */
    removeReactions: async (messageSeq: number, personSeq: number, name: string | null): Promise<boolean> => {
      const removed =
        name === null
          ? await sql.all(`${ofOne} RETURNING seq`, messageSeq, personSeq)
          : await sql.all(`${ofOne} AND name = ? RETURNING seq`, messageSeq, personSeq, name);
      return removed.length > 0;
    },
    addAttachment: (row: AttachmentRow) => sql.insert('attachments', row),
    removeAttachments: async (messageSeq: number): Promise<boolean> =>
      (await sql.all('DELETE FROM attachments WHERE message_seq = ? RETURNING seq', messageSeq)).length > 0,
  };
}

export type MarkStore = ReturnType<typeof createMarkStore>;
