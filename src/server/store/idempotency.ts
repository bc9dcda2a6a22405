/** SQL for the stored answers of requests with an `Idempotency-Key`. */
import { type Sql, sendTogether } from './sql.ts';

export interface KeptAnswer {
  readonly request_digest: Uint8Array;
  readonly status: number;
  readonly body: string;
}

/** The body of a kept answer once its message has been deleted. */
export const emptiedAnswer = 'null';

/** Seconds. */
const keyLifetime = 24 * 60 * 60;

export function createIdempotencyStore(sql: Sql) {
  return {
    /**
     * Keeps a second request of this person from being carried out before this transaction ends. SQLite has one writer. On
     * PostgreSQL it locks no row: the rows are locked afterwards, in the order that all transactions have. The number is
     * negative, since the lock of `migrate` has a positive one.
     */
    lock: async (personSeq: number): Promise<void> => {
      if (sql.dialect.name === 'postgres') await sql.get('SELECT pg_advisory_xact_lock(-CAST(? AS bigint))', personSeq);
    },
    find: (personSeq: number, key: string, now: number) =>
      sql.get<KeptAnswer>(
        'SELECT request_digest, status, body FROM idempotency WHERE person_seq = ? AND key = ? AND created_at > ?',
        personSeq,
        key,
        now - keyLifetime,
      ),
    /** Sends the statements with which a transaction ends. */
    save: (personSeq: number, key: string, answer: KeptAnswer, now: number): void =>
      sendTogether(
        sql.run('DELETE FROM idempotency WHERE created_at <= ?', now - keyLifetime),
        sql.run(
          'INSERT INTO idempotency (person_seq, key, request_digest, status, body, created_at) VALUES (?, ?, ?, ?, ?, ?)',
          personSeq,
          key,
          answer.request_digest,
          answer.status,
          answer.body,
          now,
        ),
      ),
  };
}
