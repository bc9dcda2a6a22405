/** SQL that changes the attachments of a message. */
import type { Attachment } from './message-rows.ts';
import type { Sql } from './sql.ts';

export function createAttachmentStore(sql: Sql) {
  return {
    idsOf: async (messageSeq: number): Promise<readonly string[]> => {
      const rows = await sql.all<{ id: string }>('SELECT id FROM attachments WHERE message_seq = ?', messageSeq);
      return rows.map(({ id }) => id);
    },
    add: (row: Attachment & { readonly message_seq: number }) => sql.insert('attachments', row),
    /** Removes all of a message. Returns whether there was one. */
    removeAll: async (messageSeq: number): Promise<boolean> =>
      (await sql.all('DELETE FROM attachments WHERE message_seq = ? RETURNING seq', messageSeq)).length > 0,
  };
}
