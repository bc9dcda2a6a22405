/** SQL for the reactions and attachments of messages. */
import type { Dialect, Sql } from './sql.ts';

interface ReactionRow {
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

/** The reactions and attachments of one message `m`, as two columns for `marksOf`. */
export const marksColumns = ({ jsonRows }: Dialect): string => `
  (SELECT ${jsonRows(['r.name', 'who.username'], 'r.seq')} FROM reactions r JOIN people who ON who.seq = r.person_seq
   WHERE r.message_seq = m.seq) AS reactions,
  (SELECT ${jsonRows(['a.id', 'a.filename', 'a.file_url', 'a.file_type', 'a.file_size', 'a.created_at'], 'a.seq')}
   FROM attachments a WHERE a.message_seq = m.seq) AS attachments`;

/** The columns that `marksColumns` selects. */
export interface MarksColumns {
  readonly reactions: string | null;
  readonly attachments: string | null;
}

/** In the order they were given. */
export interface Marks {
  readonly reactions: readonly (readonly [name: string, username: string])[];
  readonly attachments: readonly Omit<AttachmentRow, 'message_seq'>[];
}

const selectReactions = `
SELECT r.name, p.username FROM reactions r JOIN people p ON p.seq = r.person_seq WHERE r.message_seq = ?`;

type AttachmentValues = readonly [string, string, string, string | null, number | null, number];

export function marksOf({ reactions, attachments }: MarksColumns): Marks {
  return {
    reactions: JSON.parse(reactions ?? '[]') as Marks['reactions'],
    attachments: (JSON.parse(attachments ?? '[]') as AttachmentValues[]).map(
      ([id, filename, file_url, file_type, file_size, created_at]) => ({
        id,
        filename,
        file_url,
        file_type,
        file_size,
        created_at,
      }),
    ),
  };
}

export function createMarkStore(sql: Sql) {
  const ofOne = 'DELETE FROM reactions WHERE message_seq = ? AND person_seq = ?';
  return {
    reactions: (messageSeq: number) => sql.all<ReactionRow>(selectReactions, messageSeq),
    attachmentIds: async (messageSeq: number): Promise<readonly string[]> => {
      const rows = await sql.all<{ id: string }>('SELECT id FROM attachments WHERE message_seq = ?', messageSeq);
      return rows.map(({ id }) => id);
    },
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
