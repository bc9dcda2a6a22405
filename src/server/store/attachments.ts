/** SQL that changes the attachments of a message. */
import type { Sql } from './sql.ts';

interface NewAttachment {
  readonly id: string;
  readonly message_seq: number;
  readonly filename: string;
  readonly file_url: string;
  readonly file_type: string | null;
  readonly file_size: number | null;
  readonly created_at: number;
}

export function createAttachmentStore(sql: Sql) {
  return {
    idsOf: async (messageSeq: number): Promise<readonly string[]> => {
      const rows = await sql.all<{ id: string }>('SELECT id FROM attachments WHERE message_seq = ?', messageSeq);
      return rows.map(({ id }) => id);
    },
    add: (row: NewAttachment) => sql.insert('attachments', row),
    /** Removes all attachments of a message. Resolves to whether there was one. */
    removeAll: async (messageSeq: number): Promise<boolean> =>
      (await sql.all('DELETE FROM attachments WHERE message_seq = ? RETURNING seq', messageSeq)).length > 0,
  };
}
