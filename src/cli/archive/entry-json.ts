/** Writes an entry as the JSON text of its line, without the hash: the names of the API, times as RFC 3339 in UTC. */
import type { Attachment, Contact, Conversation, JsonValue, Millis, Reaction } from '../../protocol/types.ts';
import type { HistoryReach } from '../../state/cache/cached-history.ts';
import type { MessageVersion } from '../../state/model/details.ts';
import { escapedJson } from '../output/print.ts';
import { type Entry, type HistoryEntry, isComplete, type ListRest, type MessageEntry, type Newest } from './entry.ts';

export const archiveSchema = 1;

/** The text, with controls and direction overrides escaped, so that they cannot control a terminal that shows the file. */
export const entryJson = (entry: Entry): string => escapedJson(JSON.stringify(fieldsOf(entry)));

function fieldsOf(entry: Entry) {
  const { type } = entry;
  switch (type) {
    case 'header':
      return { type, schema: archiveSchema, server: entry.server };
    case 'person': {
      const { contact, localName, isMe } = entry;
      return { type, ...contactJson(contact), ...named(localName), ...(isMe ? { is_me: true } : {}) };
    }
    case 'conversation':
      return { type, ...conversationJson(entry.conversation), ...named(entry.localName) };
    case 'message':
      return { type, ...messageJson(entry) };
    case 'history':
      return { type, ...historyJson(entry) };
    case 'list':
      return { type, is_complete: isComplete(entry), ending: endings[entry.rest] };
  }
}

/** Times before 1970, and times with a year beyond 9999, which RFC 3339 cannot write, count as unknown. */
export const rfc3339 = (at: Millis | null): string | null =>
  at !== null && at > 0 && at < Date.UTC(10_000, 0, 1) ? new Date(at).toISOString() : null;

const named = (localName: string | null) => (localName === null ? {} : { local_name: localName });

const contactJson = (contact: Contact) => ({
  id: contact.id,
  username: contact.username,
  phone_number: contact.phoneNumber,
  avatar_url: contact.avatarUrl,
  last_active_at: rfc3339(contact.lastActiveAt),
  created_at: rfc3339(contact.createdAt),
});

const conversationJson = (conversation: Conversation) => ({
  id: conversation.id,
  contact_id: conversation.contactId,
  group_id: conversation.groupId,
  pinned_message_id: conversation.pinnedMessageId,
  is_pinned: conversation.isPinned,
  is_muted: conversation.isMuted,
  last_active_at: rfc3339(conversation.lastActiveAt),
  last_opened_at: rfc3339(conversation.lastOpenedAt),
  created_at: rfc3339(conversation.createdAt),
  archived_at: rfc3339(conversation.archivedAt),
});

/** The message with the fields of the API; others are left out where they are empty. */
function messageJson({ conversationId, message, versions }: MessageEntry) {
  const repeats = message.reactions.filter((one) => one.repeats !== undefined);
  return {
    id: message.id,
    conversation_id: conversationId,
    contact: message.contact === null ? null : contactJson(message.contact),
    message: message.text,
    reactions: message.reactions.map(reactionJson),
    attachments: message.attachments.map(attachmentJson),
    read_at: rfc3339(message.readAt),
    created_at: rfc3339(message.createdAt),
    updated_at: rfc3339(message.updatedAt),
    ...(versions.length === 0 ? {} : { versions: versions.map(versionJson) }),
    ...(repeats.length === 0 ? {} : { repeats: Object.fromEntries(repeats.map((one) => [one.name, one.repeats])) }),
    ...(message.isTruncated ? { is_truncated: true } : {}),
    ...(message.isCut === true ? { is_cut: true } : {}),
    ...(message.rank === 0 ? {} : { rank: message.rank }),
  };
}

/** The reaction as in the API document; where the server counts more people than it names, with their number. */
function reactionJson({ name, by, unnamed = 0 }: Reaction) {
  const users = unnamed === 0 ? by : by.length === 0 ? unnamed : { users: by, count: by.length + unnamed };
  return Object.fromEntries([[name, users]]);
}

/** Integers that are not exact in JavaScript are strings, as they are when they are read. */
const attachmentJson = ({ fields }: Attachment) => exactNumbers(fields);

function exactNumbers(value: JsonValue): JsonValue {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value) ? String(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(exactNumbers);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, exactNumbers(inner)]));
}

const versionJson = ({ until, text }: MessageVersion) => ({ message: text, until: rfc3339(until) });

/** The words for what is known of the history before the oldest message. */
export const beginnings: Readonly<Record<HistoryReach['older'], string>> = {
  end: 'reached',
  server: 'not_fetched',
  unknown: 'unknown',
  unreachable: 'not_offered',
};

/** The words for what is known of the messages after the newest one. */
export const newestWords: Readonly<Record<Newest, string>> = {
  reached: 'reached',
  unknown: 'unknown',
  unreachable: 'not_offered',
};

/** The words for what is known of the end of the conversation list. */
export const endings: Readonly<Record<ListRest, string>> = {
  none: 'reached',
  unread: 'not_fetched',
  missing: 'not_offered',
};

const historyJson = (entry: HistoryEntry) => ({
  conversation_id: entry.conversationId,
  messages: entry.messages,
  is_complete: isComplete(entry),
  beginning: beginnings[entry.older],
  ...(entry.newest === 'reached' ? {} : { newest: newestWords[entry.newest] }),
  gaps: entry.gaps,
});
