/** Reads the JSON of a line as an entry. A file may come from anywhere: the same rules hold as for answers of a server. */

import { type Fields, field, idField, isObject, maxName, stringField, timeField } from '../../protocol/fields.ts';
import { parseContact, parseConversation, parseMessage } from '../../protocol/parse.ts';
import type { Message } from '../../protocol/types.ts';
import { parseUrl } from '../../protocol/web-address.ts';
import type { HistoryReach } from '../../state/cache/cached-history.ts';
import type { MessageVersion } from '../../state/model/details.ts';
import type { Entry, HistoryEntry, ListRest, MessageEntry, Newest } from './entry.ts';
import { archiveSchema, beginnings, endings, newestWords } from './entry-json.ts';

/** The most earlier texts of a message, as many as the cache keeps. */
const mostVersions = 20;
const longestServer = 4096;
const mostGaps = 10_000;

/** Returns the entry; null for a line of an unknown type, which a later msg-tui may have written. */
export function parseEntry(value: Fields): Entry | { readonly problem: string } | null {
  switch (field(value, 'type')) {
    case 'header':
      return header(value);
    case 'person': {
      const contact = parseContact(value);
      if (contact === null) return withoutId('person');
      const isMe = field(value, 'is_me') === true;
      return { type: 'person', contact, localName: stringField(value, 'local_name', maxName), isMe };
    }
    case 'conversation': {
      const conversation = parseConversation(value);
      if (conversation === null) return withoutId('conversation');
      return { type: 'conversation', conversation, localName: stringField(value, 'local_name', maxName) };
    }
    case 'message':
      return messageEntry(value);
    case 'history':
      return historyEntry(value);
    case 'list':
      return { type: 'list', rest: meaningOf<ListRest>(endings, field(value, 'ending')) ?? 'unread' };
    default:
      return null;
  }
}

const withoutId = (what: string) => ({ problem: `the ${what} has no id` });

function header(value: Fields): Entry | { readonly problem: string } {
  const schema = field(value, 'schema');
  const server = stringField(value, 'server', longestServer);
  if (typeof schema === 'number' && schema > archiveSchema)
    return { problem: `the file was written by a later msg-tui (schema ${schema}); update msg-tui` };
  if (schema !== archiveSchema || server === null || parseUrl(server) === null)
    return { problem: 'the header is wrong' };
  return { type: 'header', server };
}

function messageEntry(value: Fields): MessageEntry | { readonly problem: string } {
  // `message` is the text here and never an object around the message.
  const parsed = typeof field(value, 'id') === 'string' ? parseMessage(value) : null;
  if (parsed === null || parsed.conversationId === null) return { problem: 'the message has no id or no conversation' };
  const { conversationId } = parsed;
  const rank = field(value, 'rank');
  const message: Message = {
    ...parsed,
    reactions: withRepeats(parsed.reactions, field(value, 'repeats')),
    isTruncated: parsed.isTruncated || field(value, 'is_truncated') === true,
    ...(field(value, 'is_cut') === true ? { isCut: true } : {}),
    rank: typeof rank === 'number' && Number.isFinite(rank) ? rank : 0,
  };
  return { type: 'message', conversationId, message, versions: versionsOf(field(value, 'versions')) };
}

function withRepeats(reactions: Message['reactions'], repeats: unknown): Message['reactions'] {
  if (!isObject(repeats)) return reactions;
  return reactions.map((reaction) => {
    const count = field(repeats, reaction.name);
    return typeof count === 'number' && Number.isSafeInteger(count) && count > 0
      ? { ...reaction, repeats: count }
      : reaction;
  });
}

function versionsOf(value: unknown): readonly MessageVersion[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, mostVersions).flatMap((one: unknown): MessageVersion[] => {
    const text = isObject(one) ? field(one, 'message') : null;
    const until = isObject(one) ? timeField(one, 'until', Number.POSITIVE_INFINITY) : null;
    return typeof text === 'string' && until !== null ? [{ until, text }] : [];
  });
}

function historyEntry(value: Fields): HistoryEntry | { readonly problem: string } {
  const conversationId = idField(value, 'conversation_id');
  if (conversationId === null) return withoutId('conversation');
  const gaps = field(value, 'gaps');
  const count = field(value, 'messages');
  return {
    type: 'history',
    conversationId,
    messages: typeof count === 'number' && Number.isSafeInteger(count) ? count : 0,
    older: meaningOf<HistoryReach['older']>(beginnings, field(value, 'beginning')) ?? 'unknown',
    newest: meaningOf<Newest>(newestWords, field(value, 'newest')) ?? 'reached',
    gaps: Array.isArray(gaps) ? gaps.slice(0, mostGaps).filter((id) => typeof id === 'string') : [],
  };
}

/** The value for which the word stands; null for an unknown word. */
function meaningOf<T extends string>(words: Readonly<Record<T, string>>, word: unknown): T | null {
  const [value] = (Object.keys(words) as T[]).filter((one) => words[one] === word);
  return value ?? null;
}
