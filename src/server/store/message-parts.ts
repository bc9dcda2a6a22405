/** SQL that changes the reactions and the attachments of a message. */
import type { Sql } from './sql.ts';

interface Reaction {
  readonly name: string;
  readonly username: string;
}

const selectReactions = `
SELECT r.name, p.username FROM reactions r JOIN people p ON p.seq = r.person_seq WHERE r.message_seq = ?`;

export function createReactionStore(sql: Sql, emptyLogSoon: () => void) {
  const ofOne = 'DELETE FROM reactions WHERE message_seq = ? AND person_seq = ?';
  return {
    of: (messageSeq: number) => sql.all<Reaction>(selectReactions, messageSeq),
    /** Returns whether the reaction is new. */
    add: async (messageSeq: number, name: string, personSeq: number): Promise<boolean> => {
      const text =
        'INSERT INTO reactions (message_seq, name, person_seq) VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING seq';
      return (await sql.get(text, messageSeq, name, personSeq)) !== undefined;
    },
    /** Removes one reaction of a person, or all when `name` is null. Returns whether there was one. */
    remove: async (messageSeq: number, personSeq: number, name: string | null): Promise<boolean> => {
      const removed =
        name === null
          ? await sql.all(`${ofOne} RETURNING seq`, messageSeq, personSeq)
          : await sql.all(`${ofOne} AND name = ? RETURNING seq`, messageSeq, personSeq, name);
      if (removed.length > 0) emptyLogSoon();
      return removed.length > 0;
    },
  };
}

interface NewAttachment {
  readonly id: string;
  readonly message_seq: number;
  readonly filename: string;
  readonly file_url: string;
  readonly file_type: string | null;
  readonly file_size: number | null;
  readonly created_at: number;
}

export function createAttachmentStore(sql: Sql, emptyLogSoon: () => void) {
  return {
    idsOf: async (messageSeq: number): Promise<readonly string[]> => {
      const rows = await sql.all<{ id: string }>('SELECT id FROM attachments WHERE message_seq = ?', messageSeq);
      return rows.map(({ id }) => id);
    },
    add: (row: NewAttachment) => sql.insert('attachments', row),
    /** Removes all attachments of a message. Resolves to whether there was one. */
    removeAll: async (messageSeq: number): Promise<boolean> => {
      const removed = await sql.all('DELETE FROM attachments WHERE message_seq = ? RETURNING seq', messageSeq);
      if (removed.length > 0) emptyLogSoon();
      return removed.length > 0;
    },
  };
}
