/** SQL for the stored answers of requests with an `Idempotency-Key`. */
import type { Sql } from './sql.ts';

export interface KeptAnswer {
  readonly request_digest: Uint8Array;
  readonly status: number;
  readonly body: string;
}

/** The body of a kept answer once its message has been deleted. */
export const emptiedAnswer = 'null';

/** Seconds. */
export const keyLifetime = 24 * 60 * 60;

export function createIdempotencyStore(sql: Sql) {
  return {
    /** Keeps a second request of this person from being carried out before this transaction ends. */
    lock: async (personSeq: number): Promise<void> => {
      if (sql.dialect.forUpdate === '') return;
      await sql.get(`SELECT seq FROM people WHERE seq = ?${sql.dialect.forUpdate}`, personSeq);
    },
    find: (personSeq: number, key: string, now: number) =>
      sql.get<KeptAnswer>(
        'SELECT request_digest, status, body FROM idempotency WHERE person_seq = ? AND key = ? AND created_at > ?',
        personSeq,
        key,
        now - keyLifetime,
      ),
    keep: async (personSeq: number, key: string, answer: KeptAnswer, now: number): Promise<void> => {
      await sql.run('DELETE FROM idempotency WHERE created_at <= ?', now - keyLifetime);
      await sql.run(
        'INSERT INTO idempotency (person_seq, key, request_digest, status, body, created_at) VALUES (?, ?, ?, ?, ?, ?)',
        personSeq,
        key,
        answer.request_digest,
        answer.status,
        answer.body,
        now,
      );
    },
  };
}
