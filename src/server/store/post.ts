/** SQL that posts a message: writes it, delivers it, and sets when its thread and its author were last active. */
import { type Dialect, type Sql, sendTogether } from './sql.ts';

export interface PostedRow {
  readonly id: string;
  readonly thread_seq: number;
  readonly author_seq: number;
  readonly text: string;
  readonly created_at: number;
}

/** `m` is the message and `c` a conversation that it is delivered to. */
const insertDelivery = `INSERT INTO deliveries (conversation_seq, message_seq, person_seq, is_own)
SELECT c.seq, m.seq, c.person_seq, CASE WHEN c.person_seq = m.author_seq THEN 1 ELSE 0 END`;

const deliverText = ({ inNumbers }: Dialect): string => `${insertDelivery}
FROM messages m JOIN conversations c ON c.thread_seq = m.thread_seq WHERE m.id = ? AND ${inNumbers('c.person_seq')}`;

const setActiveText = ({ inNumbers }: Dialect): string =>
  `UPDATE conversations SET last_active_at = ? WHERE thread_seq = ? AND ${inNumbers('person_seq')}`;

/** SQLite has no statement that writes to several tables. */
const postAtOnce = (dialect: Dialect): string => `
WITH message AS (
  INSERT INTO messages (id, thread_seq, author_seq, text, created_at) VALUES (?, ?, ?, ?, ?) RETURNING seq, author_seq
), author AS (UPDATE people SET last_active_at = ? WHERE seq = ?),
present AS (${setActiveText(dialect)} RETURNING seq, person_seq)
${insertDelivery}
FROM message m CROSS JOIN present c RETURNING message_seq`;

/**
 * Delivers the message to those of these people who have a conversation with its thread. The statements are sent before
 * this returns, and need not be waited for (`sendTogether`). Resolves to the number of the message.
 */
export function postMessage(sql: Sql, row: PostedRow, people: readonly number[]): Promise<number> {
  const { id, thread_seq, author_seq, text, created_at } = row;
  const present = sql.dialect.numbers(people);
  const active = [created_at, thread_seq, present] as const;
  if (sql.dialect.name === 'postgres') {
    const values = [id, thread_seq, author_seq, text, created_at, created_at, author_seq, ...active];
    const posted = sql.all<{ readonly message_seq: number }>(postAtOnce(sql.dialect), ...values).then(numberOf);
    sendTogether(posted);
    return posted;
  }
  const seq = sql.insert('messages', { id, thread_seq, author_seq, text, created_at });
  sendTogether(
    seq,
    sql.run(deliverText(sql.dialect), id, present),
    sql.run(setActiveText(sql.dialect), ...active),
    sql.update('people', author_seq, { last_active_at: created_at }),
  );
  return seq;
}

/** The author has a conversation with the thread, so there is a delivery. */
function numberOf([delivery]: readonly { readonly message_seq: number }[]): number {
  if (delivery === undefined) throw new Error('a message was delivered to nobody');
  return delivery.message_seq;
}
