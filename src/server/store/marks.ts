/** SQL for the reactions and attachments of messages. */
import type { Sql } from './database.ts';

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
  return {
    /** In the order they were given; one query for a whole page of messages. */
    reactions: (messageSeqs: readonly number[]) =>
      sql.all<ReactionRow>(
        `SELECT r.message_seq, r.name, p.username FROM json_each(?) j JOIN reactions r ON r.message_seq = j.value
         JOIN people p ON p.seq = r.person_seq ORDER BY r.seq`,
        JSON.stringify(messageSeqs),
      ),
    attachments: (messageSeqs: readonly number[]) =>
      sql.all<AttachmentRow>(
        'SELECT a.* FROM json_each(?) j JOIN attachments a ON a.message_seq = j.value ORDER BY a.seq',
        JSON.stringify(messageSeqs),
      ),
    /** Returns whether the reaction is new. */
    addReaction: (messageSeq: number, name: string, personSeq: number): boolean =>
      sql.get(
        'INSERT OR IGNORE INTO reactions (message_seq, name, person_seq) VALUES (?, ?, ?) RETURNING seq',
        messageSeq,
        name,
        personSeq,
      ) !== undefined,
    /** Removes one reaction of a person, or all when `name` is null. Returns whether there was one. */
    removeReactions: (messageSeq: number, personSeq: number, name: string | null): boolean =>
      sql.all(
        'DELETE FROM reactions WHERE message_seq = ?1 AND person_seq = ?2 AND (?3 IS NULL OR name = ?3) RETURNING seq',
        messageSeq,
        personSeq,
        name,
      ).length > 0,
    addAttachment: (row: AttachmentRow) => sql.insert('attachments', row),
    removeAttachments: (messageSeq: number): boolean =>
      sql.all('DELETE FROM attachments WHERE message_seq = ? RETURNING seq', messageSeq).length > 0,
  };
}

export type MarkStore = ReturnType<typeof createMarkStore>;
