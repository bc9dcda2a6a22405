/** Reads the conversation list in parts, each with all that the list shows: contacts, previews, unread counts. */

import { isObject } from '../../protocol/fields.ts';
import type { Contact, Conversation, ConversationId, Message } from '../../protocol/types.ts';
import type { CachedPart } from '../../state/cache/cached-list.ts';
import type { Me } from '../../state/model/app-state.ts';
import type { Prepare, SqlRow } from '../sqlite/driver.ts';
import { toColumn, tryParseJson } from '../sqlite/sqlite-text.ts';
import { bodyOfRow, messageOfRow } from './rows.ts';
import { countOfHead, type ReadLines } from './unread.ts';

interface Reader {
  readonly lines: ReadLines;
  readonly me: Me | null;
}

const columns = `SELECT c.body, c.contact_id, k.body AS contact,
  m.conversation_id, m.id, m.sort_at, m.rank, m.text, m.details`;
/** CROSS gives only conversations with a known message, and makes SQLite start at the conversations. */
const shown = (join: 'LEFT' | 'CROSS'): string =>
  `FROM conversations c ${join} JOIN heads h ON h.conversation_id = c.id ${join} JOIN messages m ON m.key = h.message_key
   LEFT JOIN contacts k ON k.id = c.contact_id`;
const select = `${columns} ${shown('LEFT')}`;

/** The top of the list: pinned ones, then the others by their last activity, archived ones last. */
export function topPart(prepare: Prepare, limit: number, reader: Reader): CachedPart {
  const rows = prepare(`${select} ORDER BY c.shelf, c.age, c.id LIMIT ?`).all(limit);
  return { ...partFrom(prepare, rows, reader), hasMore: rows.length === limit };
}

/**
 * The conversations after an id, sorted by id. Of most conversations of a long list no message is known: their bodies
 * are read as one JSON text, which takes a fraction of the time of rows, and the others are joined as rows.
 */
export function partAfter(prepare: Prepare, after: ConversationId | null, limit: number, reader: Reader): CachedPart {
  const from = after === null ? '' : toColumn(after);
  const bodies = prepare(
    `SELECT group_concat(body) AS bodies FROM (SELECT body FROM conversations WHERE id > ? ORDER BY id LIMIT ?)`,
  ).get(from, limit)?.bodies;
  const parsed = tryParseJson(`[${bodies ?? ''}]`);
  const isReadable = Array.isArray(parsed) && parsed.every((one) => isObject(one) && typeof one.id === 'string');
  // Where a body is damaged, all that follow are read as rows; the server will be asked again for those that are left out.
  if (!isReadable) return partFrom(prepare, prepare(`${select} WHERE c.id > ? ORDER BY c.id`).all(from), reader);
  const conversations = (parsed as Conversation[]).map(withSharedFormat);
  const range = [from, toColumn(conversations.at(-1)?.id ?? '')] as const;
  const heads = prepare(`${columns} ${shown('CROSS')} WHERE c.id > ? AND c.id <= ?`).all(...range);
  const people = prepare(
    'SELECT k.body FROM conversations c CROSS JOIN contacts k ON k.id = c.contact_id WHERE c.id > ? AND c.id <= ?',
  ).all(...range);
  const { lastMessages, unread } = partFrom(prepare, heads, reader);
  const contacts = people.flatMap((one) => bodyOfRow<Contact>(one) ?? []);
  return { conversations, contacts, lastMessages, unread, hasMore: conversations.length === limit };
}

export function partOf(prepare: Prepare, ids: readonly ConversationId[], reader: Reader): CachedPart {
  const statement = prepare(`${select} WHERE c.id = ?`);
  return partFrom(
    prepare,
    ids.flatMap((id) => statement.all(toColumn(id))),
    reader,
  );
}

function partFrom(prepare: Prepare, rows: readonly SqlRow[], { lines, me }: Reader): CachedPart {
  const conversations: Conversation[] = [];
  const contacts: Contact[] = [];
  const lastMessages: [ConversationId, Message][] = [];
  const unread: [ConversationId, number][] = [];
  for (const row of rows) {
    const conversation = bodyOfRow<Conversation>(row);
    if (conversation === null) continue;
    conversations.push(withSharedFormat(conversation));
    const contact = row.contact === null ? null : bodyOfRow<Contact>({ body: row.contact ?? null });
    if (contact !== null) contacts.push(contact);
    if (row.details === null) continue;
    const message = messageOfRow(row);
    if (message !== null) lastMessages.push([conversation.id, message]);
    const count = countOfHead(prepare, row, lines, me);
    if (count > 0) unread.push([conversation.id, count]);
  }
  return { conversations, contacts, lastMessages, unread, hasMore: false };
}

const formats = new Map<string, Conversation['timeFormat']>();

/** Shares one object among all conversations with the same format, to save memory: a server writes times one way. */
function withSharedFormat(conversation: Conversation): Conversation {
  const { timeFormat } = conversation;
  if (timeFormat === null || typeof timeFormat !== 'object') return conversation;
  const key = JSON.stringify(timeFormat);
  const held = formats.get(key);
  if (held === undefined) formats.set(key, timeFormat);
  else (conversation as { timeFormat: Conversation['timeFormat'] }).timeFormat = held;
  return conversation;
}
