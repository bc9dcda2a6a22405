/** SQL for the stored answers of requests with an `Idempotency-Key`. */
import type { Sql } from './database.ts';

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
    find: (personSeq: number, key: string, now: number) =>
      sql.get<KeptAnswer>(
        'SELECT request_digest, status, body FROM idempotency WHERE person_seq = ? AND key = ? AND created_at > ?',
        personSeq,
        key,
        now - keyLifetime,
      ),
    keep: (personSeq: number, key: string, answer: KeptAnswer, now: number) => {
      sql.run('DELETE FROM idempotency WHERE created_at <= ?', now - keyLifetime);
      sql.insert('idempotency', { person_seq: personSeq, key, ...answer, created_at: now });
    },
  };
}

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>;
