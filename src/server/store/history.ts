/** SQL for importing messages of the past, which no operation of the API can write. */
import type { Sql } from './database.ts';

export interface PastMessage {
  readonly id: string;
  readonly threadSeq: number;
  readonly authorSeq: number;
  readonly text: string;
  readonly createdAt: number;
  readonly updatedAt: number | null;
  /** When anybody but the author first read it. */
  readonly readAt: number | null;
}

export interface PastDelivery {
  readonly conversationSeq: number;
  readonly messageSeq: number;
  readonly personSeq: number;
  readonly isOwn: boolean;
  readonly readAt: number | null;
}

export function createHistoryStore(sql: Sql) {
  return {
    addMessage: (message: PastMessage): number =>
      sql.insert(
        `INSERT INTO messages (id, thread_seq, author_seq, text, created_at, updated_at, read_at)
         VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING seq`,
        message.id,
        message.threadSeq,
        message.authorSeq,
        message.text,
        message.createdAt,
        message.updatedAt,
        message.readAt,
      ),
    addDelivery: (delivery: PastDelivery) =>
      sql.run(
        'INSERT INTO deliveries (conversation_seq, message_seq, person_seq, is_own, read_at) VALUES (?, ?, ?, ?, ?)',
        delivery.conversationSeq,
        delivery.messageSeq,
        delivery.personSeq,
        Number(delivery.isOwn),
        delivery.readAt,
      ),
    setTimes: (
      conversationSeq: number,
      times: { readonly createdAt: number; readonly activeAt: number | null; readonly openedAt: number | null },
    ) =>
      sql.run(
        'UPDATE conversations SET created_at = ?, last_active_at = ?, last_opened_at = ? WHERE seq = ?',
        times.createdAt,
        times.activeAt,
        times.openedAt,
        conversationSeq,
      ),
  };
}

export type HistoryStore = ReturnType<typeof createHistoryStore>;
