/** Reads messages as one person sees them, with their authors, reactions and attachments, in one statement. */
import type { PersonRow } from './people.ts';
import type { Dialect, Sql, SqlValue } from './sql.ts';

export type Author = Pick<
  PersonRow,
  'id' | 'username' | 'phone_number' | 'avatar_url' | 'last_active_at' | 'created_at'
>;

export interface Reaction {
  readonly name: string;
  readonly username: string;
}

export interface Attachment {
  readonly id: string;
  readonly filename: string;
  readonly file_url: string;
  readonly file_type: string | null;
  readonly file_size: number | null;
  readonly created_at: number;
}

export interface MessageRow {
  readonly seq: number;
  readonly id: string;
  readonly conversation_id: string;
  readonly author_seq: number;
  readonly author: Author;
  readonly text: string;
  readonly read_at: number | null;
  readonly created_at: number;
  readonly updated_at: number | null;
  /** In the order they were given, as the attachments are. */
  readonly reactions: readonly Reaction[];
  readonly attachments: readonly Attachment[];
}

/** One row of four JSON texts: a driver takes several times as long to make as many rows of columns. */
interface JsonColumns {
  readonly messages: string | null;
  readonly authors: string | null;
  readonly reactions: string | null;
  readonly attachments: string | null;
}

type MessageValues = readonly [number, string, string, number, string, number | null, number, number | null];
type AuthorValues = readonly [number, string, string, string, string, number | null, number];
/** The first number is that of the message, the second one the order. */
type ReactionValues = readonly [number, number, string, string];
type AttachmentValues = readonly [number, number, string, string, string, string | null, number | null, number];

const messageValues = 'seq id conversation_id author_seq text read_at created_at updated_at'.split(' ');
const authorValues = 'seq id username phone_number avatar_url last_active_at created_at'.split(' ');
const reactionValues = ['r.message_seq', 'r.seq', 'r.name', 'p.username'];
const attachmentValues = 'message_seq seq id filename file_url file_type file_size created_at'
  .split(' ')
  .map((name) => `a.${name}`);

/**
 * The reader's own copy says when it was read there; the author sees when anybody else first read it.
 *
 * @param chosen a SELECT of the columns of `deliveries`. The rows are chosen before the joins: PostgreSQL would
 * otherwise read messages of others on the way
 */
const selectMessages = ({ joinInOrder, jsonRows }: Dialect, chosen: string): string => `
WITH page AS MATERIALIZED (
  SELECT m.seq, m.id, c.id AS conversation_id, m.author_seq, m.text,
    CASE WHEN d.is_own = 1 THEN m.read_at ELSE d.read_at END AS read_at, m.created_at, m.updated_at
  FROM (${chosen}) d ${joinInOrder} messages m ON m.seq = d.message_seq
  ${joinInOrder} conversations c ON c.seq = d.conversation_seq)
SELECT (SELECT ${jsonRows(messageValues)} FROM page) AS messages,
  (SELECT ${jsonRows(authorValues)} FROM people WHERE seq IN (SELECT author_seq FROM page)) AS authors,
  (SELECT ${jsonRows(reactionValues)} FROM page ${joinInOrder} reactions r ON r.message_seq = page.seq
   ${joinInOrder} people p ON p.seq = r.person_seq) AS reactions,
  (SELECT ${jsonRows(attachmentValues)} FROM page ${joinInOrder} attachments a ON a.message_seq = page.seq) AS attachments`;

/** @returns the oldest message first */
export async function readMessages(
  sql: Sql,
  chosen: string,
  ...parameters: readonly SqlValue[]
): Promise<readonly MessageRow[]> {
  const columns = await sql.get<JsonColumns>(selectMessages(sql.dialect, chosen), ...parameters);
  return columns === undefined ? [] : messagesOf(columns);
}

function messagesOf(columns: JsonColumns): readonly MessageRow[] {
  const messages = rowsOf<MessageValues>(columns.messages).sort(([one], [other]) => one - other);
  const authors = new Map(rowsOf<AuthorValues>(columns.authors).map((values) => [values[0], authorOf(values)]));
  const reactions = byMessage(rowsOf<ReactionValues>(columns.reactions), ([, , name, username]) => ({
    name,
    username,
  }));
  const attachments = byMessage(rowsOf<AttachmentValues>(columns.attachments), attachmentOf);
  return messages.map(([seq, id, conversation_id, author_seq, text, read_at, created_at, updated_at]) => ({
    seq,
    id,
    conversation_id,
    author_seq,
    author: authors.get(author_seq) as Author,
    text,
    read_at,
    created_at,
    updated_at,
    reactions: reactions.get(seq) ?? none,
    attachments: attachments.get(seq) ?? none,
  }));
}

const none: readonly never[] = [];

const rowsOf = <Values>(json: string | null): Values[] => (json === null ? [] : JSON.parse(json));

const authorOf = ([, id, username, phone_number, avatar_url, last_active_at, created_at]: AuthorValues): Author => ({
  id,
  username,
  phone_number,
  avatar_url,
  last_active_at,
  created_at,
});

const attachmentOf = ([
  ,
  ,
  id,
  filename,
  file_url,
  file_type,
  file_size,
  created_at,
]: AttachmentValues): Attachment => ({
  id,
  filename,
  file_url,
  file_type,
  file_size,
  created_at,
});

/** What each message has, in its order. */
function byMessage<Values extends readonly [number, number, ...unknown[]], Item>(
  rows: Values[],
  itemOf: (values: Values) => Item,
): ReadonlyMap<number, readonly Item[]> {
  const found = new Map<number, Item[]>();
  for (const values of rows.sort(([, one], [, other]) => one - other)) {
    const [message] = values;
    const items = found.get(message);
    if (items === undefined) found.set(message, [itemOf(values)]);
    else items.push(itemOf(values));
  }
  return found;
}
