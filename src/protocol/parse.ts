/** Turns parsed JSON into the resources of the API, tolerating everything but a missing id (R-PARSE). */
import {
  booleanField,
  copyFields,
  type Fields,
  field,
  hasMoreValues,
  idField,
  isObject,
  maxName,
  stringField,
  timeField,
} from './fields.ts';
import { parseReactions } from './reactions.ts';
import { parseTime } from './time.ts';
import type { Attachment, Contact, Conversation, Message, Millis } from './types.ts';

/** The UTF-16 units of a message text that are kept. */
const maxText = 1024 * 1024;
/** How many attachments of a message are kept, and how many fields and items of each. */
const maxAttachments = 100;
const maxAttachmentValues = 200;

/** API document §2.1; null when there is no usable id. `now` bounds which times are believed. */
export function parseMessage(value: unknown, now?: Millis): Message | null {
  const object = resource(value, ['data', 'message']);
  const id = object === null ? null : idField(object, 'id');
  if (object === null || id === null) return null;
  const until = now ?? Number.POSITIVE_INFINITY;
  const text = field(object, 'message');
  const { reactions, isCut: areReactionsCut } = parseReactions(field(object, 'reactions'));
  const { attachments, isCut: areAttachmentsCut } = parseAttachments(field(object, 'attachments'));
  const isTruncated = typeof text === 'string' && text.length > maxText;
  return {
    id,
    conversationId: idField(object, 'conversation_id'),
    contact: parseContact(field(object, 'contact'), now),
    text: typeof text === 'string' ? (isTruncated ? text.slice(0, maxText) : text) : '',
    isTruncated,
    reactions,
    attachments,
    ...(areReactionsCut || areAttachmentsCut ? { isCut: true as const } : {}),
    readAt: timeField(object, 'read_at', until),
    createdAt: timeField(object, 'created_at', until),
    updatedAt: timeField(object, 'updated_at', until),
    rank: 0,
  };
}

/** API document §2.2; null when there is no usable id. */
export function parseConversation(value: unknown, now?: Millis): Conversation | null {
  const object = resource(value, ['data', 'conversation']);
  const id = object === null ? null : idField(object, 'id');
  if (object === null || id === null) return null;
  const until = now ?? Number.POSITIVE_INFINITY;
  const created = parseTime(field(object, 'created_at'), until);
  return {
    id,
    contactId: idField(object, 'contact_id'),
    groupId: idField(object, 'group_id'),
    pinnedMessageId: idField(object, 'pinned_message_id'),
    isPinned: booleanField(object, 'is_pinned'),
    isMuted: booleanField(object, 'is_muted'),
    lastActiveAt: timeField(object, 'last_active_at', until),
    lastOpenedAt: timeField(object, 'last_opened_at', until),
    createdAt: created.at,
    archivedAt: timeField(object, 'archived_at', until),
    timeFormat: created.format,
  };
}

/** API document §2.3; null when there is no usable id. */
export function parseContact(value: unknown, now?: Millis): Contact | null {
  const id = isObject(value) ? idField(value, 'id') : null;
  if (!isObject(value) || id === null) return null;
  const until = now ?? Number.POSITIVE_INFINITY;
  return {
    id,
    username: stringField(value, 'username', maxName),
    phoneNumber: stringField(value, 'phone_number', maxName),
    avatarUrl: stringField(value, 'avatar_url'),
    lastActiveAt: timeField(value, 'last_active_at', until),
    createdAt: timeField(value, 'created_at', until),
  };
}

export interface ReadAttachments {
  readonly attachments: readonly Attachment[];
  /** There were more attachments, or more fields in one, than are kept. */
  readonly isCut: boolean;
}

/** The document shows no fields of attachments (§2.5): all are kept, within limits; known names give the label. */
export function parseAttachments(value: unknown): ReadAttachments {
  const list: readonly unknown[] = Array.isArray(value) ? value : isObject(value) ? [value] : [];
  const attachments = list.slice(0, maxAttachments).flatMap((item) => {
    if (typeof item === 'string' && item !== '') return [attachment({ file_url: item })];
    return isObject(item) && Object.keys(item).length > 0 ? [attachment(item)] : [];
  });
  const isCut = list.length > maxAttachments || list.some((item) => hasMoreValues(item, maxAttachmentValues));
  return { attachments, isCut };
}

/** The object itself, or the one in it that has an id where the outer one has none (server-differences: Answers). */
function resource(value: unknown, wrappers: readonly string[]): Fields | null {
  if (!isObject(value)) return null;
  if (idField(value, 'id') !== null) return value;
  const inner = wrappers
    .map((name) => field(value, name))
    .find((item) => isObject(item) && idField(item, 'id') !== null);
  return isObject(inner) ? inner : null;
}

function attachment(object: Fields): Attachment {
  const url = firstString(object, urlNames);
  const named = firstString(object, labelNames) ?? lastPart(url) ?? idField(object, 'id');
  const size = [field(object, 'file_size'), field(object, 'size')]
    .map(Number)
    .find((n) => Number.isSafeInteger(n) && n > 0);
  return {
    label: named ?? unnamedLabel(Object.keys(object).length),
    url,
    size: size ?? null,
    mediaType: firstString(object, typeNames),
    fields: copyFields(hasMoreValues(object, maxAttachmentValues) ? knownFields(object) : object),
  };
}

const unnamedLabel = (fields: number): string => `attachment (${fields} ${fields === 1 ? 'field' : 'fields'})`;

const urlNames = ['file_url', 'link', 'url', 'href'] as const;
const labelNames = ['filename', 'name', 'title', 'file_name'] as const;
const typeNames = ['file_type', 'mime_type', 'content_type'] as const;

/** Of an attachment with too many fields, only the fields that are shown are kept, and only plain values. */
function knownFields(object: Fields): Fields {
  const names = ['id', ...urlNames, ...labelNames, ...typeNames, 'file_size', 'size'];
  const known = names.map((name) => [name, field(object, name)] as const);
  return Object.fromEntries(known.filter(([, value]) => value !== undefined && typeof value !== 'object'));
}

function firstString(object: Fields, names: readonly string[]): string | null {
  return names.map((name) => stringField(object, name)).find((value) => value !== null) ?? null;
}

function lastPart(url: string | null): string | null {
  const part = url
    ?.replace(/[?#].*$/s, '')
    .split('/')
    .filter(Boolean)
    .at(-1);
  if (part === undefined) return null;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
