/** Converts rows of cache.db to resources and back. An unreadable row gives null, and its resource is fetched again. */

import { isObject } from '../../protocol/fields.ts';
import type { Contact, Conversation, ConversationId, Message } from '../../protocol/types.ts';
import type { HistoryKey, HistoryReach } from '../../state/cache/cached-history.ts';
import type { ListReadingRecord } from '../../state/cache/cached-list.ts';
import type { SqlRow, SqlValue } from '../sqlite/driver.ts';
import { fromColumn, reactionsFromStored, storedReactions, toColumn, tryParseJson } from '../sqlite/sqlite-text.ts';
import { noTime } from './schema.ts';

export const unknownReach: HistoryReach = { older: 'unknown', gaps: [] };

const sortAt = (createdAt: number | null): number => createdAt ?? noTime;

export function timeOfRow({ sort_at }: SqlRow): number | null {
  const at = Number(sort_at);
  return at === noTime ? null : at;
}

/** The values for the columns `sort_at, rank, id`. */
export const keyColumns = ({ createdAt, rank, id }: HistoryKey): SqlValue[] => [sortAt(createdAt), rank, toColumn(id)];

/** The values for the columns `conversation_id, id, sort_at, rank, contact_id, text, details`. */
export function messageColumns(conversation: ConversationId, message: Message): SqlValue[] {
  const { id, createdAt, rank, text, conversationId, ...rest } = message;
  const details = { ...rest, reactions: storedReactions(rest.reactions) };
  // The conversation is left out where it is that of the row, which it nearly always is.
  const own = conversationId === conversation ? details : { ...details, conversationId };
  const contactId = message.contact === null ? null : toColumn(message.contact.id);
  return [
    toColumn(conversation),
    toColumn(id),
    sortAt(createdAt),
    rank,
    contactId,
    toColumn(text),
    padded(JSON.stringify(own), text),
  ];
}

const longUnits = 16_384;
const step = 512;

/** Pads the details of a long message, so that a change of their size rewrites one page and not the text. */
const padded = (details: string, text: string): string =>
  text.length < longUnits ? details : details.padEnd(Math.ceil(details.length / step) * step);

export function messageOfRow(row: SqlRow): Message | null {
  const details = tryParseJson(row.details);
  if (!isObject(details) || !Array.isArray(details.reactions) || !Array.isArray(details.attachments)) return null;
  const message = {
    conversationId: fromColumn(String(row.conversation_id)),
    ...details,
    reactions: reactionsFromStored(details.reactions),
    id: fromColumn(String(row.id)),
    text: fromColumn(String(row.text)),
    createdAt: timeOfRow(row),
    rank: Number(row.rank),
  };
  return message as unknown as Message;
}

/**
 * The values for the columns of `saveConversations`. The columns `shelf`, `age` and `id` give the order in which the state lists
 * conversations (`compare` in state/select/listed-conversations), and archived ones come last.
 */
export function conversationColumns(conversation: Conversation): SqlValue[] {
  const { contactId, isPinned, archivedAt, lastActiveAt, createdAt } = conversation;
  const contact = contactId === null ? null : toColumn(contactId);
  const id = toColumn(conversation.id);
  const shelf = archivedAt !== null ? 2 : isPinned ? 0 : 1;
  return [id, contact, JSON.stringify(conversation), shelf, lastActiveAt, id, createdAt];
}

export function contactColumns(contact: Contact): SqlValue[] {
  return [toColumn(contact.id), JSON.stringify(contact)];
}

export function bodyOfRow<T extends { readonly id: string }>(row: SqlRow): T | null {
  const body = tryParseJson(row.body);
  return isObject(body) && typeof body.id === 'string' ? (body as unknown as T) : null;
}

/** null when there is no record, or it cannot be read. */
export function readingOfRow(row: SqlRow | undefined): ListReadingRecord | null {
  const body = tryParseJson(row?.body);
  if (!isObject(body) || typeof body.leavesOutArchived !== 'boolean') return null;
  const { at, pages } = body;
  return Number.isFinite(at) && Number.isSafeInteger(pages) ? (body as unknown as ListReadingRecord) : null;
}

const edges: readonly unknown[] = [
  'end',
  'server',
  'unknown',
  'unreachable',
] satisfies readonly HistoryReach['older'][];

export function reachOfRow(row: SqlRow | undefined): HistoryReach {
  const gaps = tryParseJson(row?.gaps);
  if (!edges.includes(row?.older) || !Array.isArray(gaps)) return unknownReach;
  return { older: row?.older as HistoryReach['older'], gaps: gaps.filter((id) => typeof id === 'string') };
}
