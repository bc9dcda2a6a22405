/** Fills an empty database with users who write to each other, in a few statements that both engines understand. */
import { createHash } from 'node:crypto';
import type { DatabaseEngine, Sql } from '../../../src/server/store/sql.ts';

export interface FillSizes {
  /** An even number: each two have a conversation with each other. */
  readonly users: number;
  readonly messages: number;
}

/** Of the user with this number, from 1 on. */
export const tokenOf = (user: number): string => `token-of-user-${user}`;
export const conversationOf = (user: number): string => `c${user}`;
/** A message in that user's conversation: `place` counts them from 0, the oldest. */
export const messageOf = (user: number, place: number, { users }: FillSizes): string =>
  `m${Math.ceil(user / 2) + place * (users / 2)}`;

/** One message a second, up to the beginning of the year 2026. */
const lastAt = 1_767_225_600;

const numbers = (to: number): string =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${to})`;

export async function fill(engine: DatabaseEngine, { users, messages }: FillSizes): Promise<void> {
  const pairs = users / 2;
  await engine.transaction(async (sql) => {
    await addPeople(sql, users);
    await sql.run(`${numbers(pairs)} INSERT INTO threads (seq, low_seq, high_seq) SELECT i, 2 * i - 1, 2 * i FROM n`);
    await sql.run(`${numbers(users)} INSERT INTO conversations (seq, id, thread_seq, person_seq, created_at, last_active_at)
      SELECT i, 'c' || i, (i + 1) / 2, i, ${lastAt}, ${lastAt} FROM n`);
    // The two of a pair write in turn.
    await sql.run(`${numbers(messages)} INSERT INTO messages (seq, id, thread_seq, author_seq, text, created_at)
      SELECT i, 'm' || i, (i - 1) % ${pairs} + 1, 2 * ((i - 1) % ${pairs}) + 1 + (i / ${pairs}) % 2,
        'Message ' || i || ' of the benchmark: the ferry leaves at nine', ${lastAt - messages} + i FROM n`);
    for (const side of [0, 1]) {
      await sql.run(`INSERT INTO deliveries (conversation_seq, message_seq, person_seq, is_own)
        SELECT 2 * thread_seq - ${side}, seq, 2 * thread_seq - ${side},
          CASE WHEN author_seq = 2 * thread_seq - ${side} THEN 1 ELSE 0 END FROM messages`);
    }
    // Statistics as its own tasks would make them; nobody makes them in a data file.
    if (sql.dialect.name === 'postgres') {
      await continueNumbers(sql);
      await sql.run('ANALYZE');
    }
  });
}

/** PostgreSQL draws numbers beside the table, and does not look at those that are there. */
async function continueNumbers(sql: Sql): Promise<void> {
  for (const table of ['people', 'threads', 'conversations', 'messages'])
    await sql.get(`SELECT setval(pg_get_serial_sequence('${table}', 'seq'), (SELECT max(seq) FROM ${table}))`);
}

async function addPeople(sql: Sql, users: number): Promise<void> {
  await sql.run(`${numbers(users)} INSERT INTO people (seq, id, username, is_user, created_at)
    SELECT i, 'u' || i, 'user' || i, 1, ${lastAt} FROM n`);
  await sql.run('INSERT INTO versions (person_seq) SELECT seq FROM people');
  for (let user = 1; user <= users; user += 1) {
    const digest = createHash('sha256').update(tokenOf(user)).digest();
    await sql.run(
      `INSERT INTO tokens (id, digest, person_seq, label, created_at) VALUES (?, ?, ?, '', ${lastAt})`,
      `t${user}`,
      digest,
      user,
    );
  }
}
