/**
 * Reads messages as one person sees them, in the form of the API document §2.1. The database makes the JSON text: making
 * objects from the rows of a page, and text from the objects, takes several times as long.
 */
import { batched } from './batch.ts';
import type { Dialect, Sql, SqlValue } from './sql.ts';

/** The JSON text of a message without its contact, for which the number of its author stands. */
export interface MessageText {
  /** What comes before the contact. */
  readonly before: string;
  readonly author: string;
  /** The number of the message (`messages.seq`). */
  readonly seq: number;
  readonly after: string;
}

/** Newest first. */
export type MessageTexts = readonly MessageText[];

export interface WithContacts {
  /** The JSON texts of the messages, separated by commas. */
  readonly json: string;
  /** When each author was last active, by the id of the author. */
  readonly lastActive: ReadonlyMap<string, number | null>;
}

/** It is between two messages and around the numbers in one; no JSON text contains it, since JSON escapes it. */
const separator = '\n';

/**
 * @param chosen a SELECT of `message_seq`, `is_own`, `read_at` and `conversation_id` from `deliveries`. The rows are chosen
 * before the joins: PostgreSQL would otherwise read messages of others on the way
 * @returns a SELECT of the texts that `readMessages` reads
 */
export const selectMessages = (dialect: Dialect, chosen: string): string => `
SELECT string_agg(${messageObject(dialect)}, '${separator}') AS texts
FROM (${chosen}) d ${dialect.joinInOrder} messages m ON m.seq = d.message_seq`;

/** @param select made by `selectMessages` */
export async function readMessages(
  sql: Sql,
  select: string,
  ...parameters: readonly SqlValue[]
): Promise<MessageTexts> {
  const row = await sql.get<{ texts: string | null }>(select, ...parameters);
  const parts = row?.texts?.split(separator) ?? [];
  const messages: MessageText[] = [];
  let isInOrder = true;
  let last = Number.POSITIVE_INFINITY;
  for (let at = 0; at + 3 < parts.length; at += 4) {
    const seq = Number(parts[at + 2]);
    isInOrder &&= seq < last;
    last = seq;
    messages.push({ before: parts[at] ?? '', author: parts[at + 1] ?? '', seq, after: parts[at + 3] ?? '' });
  }
  // An engine returns the messages of a page towards older ones newest first, though it need not. With ORDER BY it would copy
  // all texts to sort them.
  return isInOrder ? messages : messages.sort((one, other) => other.seq - one.seq);
}

interface Contact {
  readonly id: string;
  /** Unix seconds. */
  readonly last_active_at: number | null;
  /** The contact as JSON text (API document §2.3). */
  readonly json: string;
}

/** Reads the contact with this number (`people.seq`); null when there is none. */
export type ReadContact = (number: number) => Promise<Contact | null>;

export const createReadContact = (sql: Sql): ReadContact => {
  const select = `SELECT p.seq, p.id, p.last_active_at, ${contactObject(sql.dialect)} AS json FROM people p WHERE`;
  // On SQLite a statement for each author takes less time than a list as JSON; on PostgreSQL each one is a round trip.
  if (sql.dialect.name === 'sqlite') {
    const selectOne = `${select} p.seq = ?`;
    return async (number) => (await sql.get<Contact>(selectOne, number)) ?? null;
  }
  const selectAll = `${select} ${sql.dialect.inNumbers('p.seq')}`;
  return batched(async (numbers) => {
    const rows = await sql.all<Contact & { seq: number }>(selectAll, sql.dialect.numbers([...new Set(numbers)]));
    const contacts = new Map(rows.map((row) => [row.seq, row]));
    return numbers.map((number) => contacts.get(number) ?? null);
  });
};

/** Puts the contacts in the place of the authors' numbers. Resolves to null when an author was removed, and with them their messages. */
export async function withContacts(texts: MessageTexts, readContact: ReadContact): Promise<WithContacts | null> {
  const numbers = [...new Set(texts.map(({ author }) => author))];
  const contacts = new Map<string, string>();
  const lastActive = new Map<string, number | null>();
  for (const [index, contact] of (await Promise.all(numbers.map((number) => readContact(Number(number))))).entries()) {
    if (contact === null) return null;
    contacts.set(numbers[index] ?? '', contact.json);
    lastActive.set(contact.id, contact.last_active_at);
  }
  let json = '';
  for (const { before, author, after } of texts)
    json += (json === '' ? '' : ',') + before + (contacts.get(author) ?? '') + after;
  return { json, lastActive };
}

/** Expressions whose texts follow one another. */
type Parts = readonly string[];

/**
 * An expression that makes a JSON object of expressions that are JSON texts or integers. On SQLite, `concat` takes three
 * quarters of the time of `format`, and a value in parts takes less time than one joined with `||`.
 */
const object = (members: Readonly<Record<string, string | Parts>>): string => {
  const parts = Object.entries(members).flatMap(([name, value], index) => [
    `'${index === 0 ? '{' : ','}"${name}":'`,
    ...[value].flat(),
  ]);
  // Two literals that follow one another become one.
  return `concat(${[...parts, `'}'`].join(', ').replaceAll(`', '`, '')})`;
};

/** The JSON text of an id of ours, which needs no escapes since ids consist of letters and digits (`secrets.ts`). */
const idText = (column: string): Parts => [`'"'`, column, `'"'`];

/** An expression that makes a JSON array of a query that joins JSON texts with commas; the query returns NULL for none. */
const array = (select: string): string => `'[' || coalesce((${select}), '') || ']'`;

const integerOrNull = (expression: string): string => `coalesce(CAST(${expression} AS text), 'null')`;

const contactObject = ({ jsonText }: Dialect): string =>
  object({
    id: idText('p.id'),
    username: jsonText('p.username'),
    phone_number: jsonText('p.phone_number'),
    avatar_url: jsonText('p.avatar_url'),
    last_active_at: integerOrNull('p.last_active_at'),
    created_at: 'p.created_at',
  });

/** `read_at` is for a reader when they read the message, and for its author when anybody else first read it. */
const messageObject = (dialect: Dialect): string =>
  object({
    id: idText('m.id'),
    conversation_id: idText('d.conversation_id'),
    contact: [`'${separator}'`, 'm.author_seq', `'${separator}'`, 'm.seq', `'${separator}'`],
    message: dialect.jsonText('m.text'),
    reactions: ifExtras(reactionsOf(dialect)),
    attachments: ifExtras(attachmentsOf(dialect)),
    read_at: integerOrNull('CASE WHEN d.is_own = 1 THEN m.read_at ELSE d.read_at END'),
    created_at: 'm.created_at',
    updated_at: integerOrNull('m.updated_at'),
  });

/** Most messages have neither reactions nor attachments: their tables are not looked into (`has_extras`). */
const ifExtras = (list: string): string => `CASE WHEN m.has_extras = 1 THEN ${list} ELSE '[]' END`;

/** Makes one object for each name (API document §2.4); names and people are in the order in which they were added. */
const reactionsOf = ({ jsonText, joinInOrder }: Dialect): string =>
  array(`SELECT string_agg(concat('{', ${jsonText('named.name')}, ':[', named.people, ']}'), ',' ORDER BY named.first) FROM (
    SELECT r.name, string_agg(${jsonText('p.username')}, ',' ORDER BY r.seq) AS people, min(r.seq) AS first
    FROM reactions r ${joinInOrder} people p ON p.seq = r.person_seq WHERE r.message_seq = m.seq GROUP BY r.name) named`);

const attachmentsOf = ({ jsonText }: Dialect): string =>
  array(
    `SELECT string_agg(${object({
      id: idText('a.id'),
      message_id: idText('m.id'),
      filename: jsonText('a.filename'),
      file_url: jsonText('a.file_url'),
      file_type: jsonText('a.file_type'),
      file_size: integerOrNull('a.file_size'),
      created_at: 'a.created_at',
    })}, ',' ORDER BY a.seq) FROM attachments a WHERE a.message_seq = m.seq`,
  );
