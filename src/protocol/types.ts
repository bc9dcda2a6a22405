/** The resources of the API as the client holds them: camelCase, times in milliseconds, every unknown field null. */

/** Opaque and case-sensitive; may be too odd to be put in a path (see `isAddressable`). */
export type MessageId = string;
export type ConversationId = string;
export type ContactId = string;
export type GroupId = string;

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Millis = number;

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** How a server writes a time; what we send back is written in the same way (server-differences: Timestamp unit). */
export type TimeFormat =
  | { readonly kind: 'number' | 'digits'; readonly unit: 's' | 'ms' | 'us' | 'ns' }
  | { readonly kind: 'iso' };

/** API document §2.3. */
export interface Contact {
  readonly id: ContactId;
  readonly username: string | null;
  readonly phoneNumber: string | null;
  readonly avatarUrl: string | null;
  readonly lastActiveAt: Millis | null;
  readonly createdAt: Millis | null;
}

/** API document §2.4: one reaction name and the strings that the server lists under it. */
export interface Reaction {
  /** Empty when the server gives the name in a form that cannot be read. */
  readonly name: string;
  /** Without repetitions. */
  readonly by: readonly string[];
  /** How many repetitions were left out; absent when none. */
  readonly repeats?: number;
  /** The number of further people that the server counts without naming them; absent when there are none. */
  readonly unnamed?: number;
}

/**
 * API document §2.5. `fields` is the object as received, so that nothing of it is lost where it is sent back. Of an
 * object with too many values it has the fields that are shown (`Message.isCut`).
 */
export interface Attachment {
  readonly label: string;
  readonly url: string | null;
  readonly size: number | null;
  readonly mediaType: string | null;
  readonly fields: AttachmentFields;
}

/** The document names no fields of an attachment (§2.5). */
export type AttachmentFields = Readonly<Record<string, JsonValue>>;

/** API document §2.1. `text` is raw: it reaches a screen only through `text/safe/sanitize`. */
export interface Message {
  readonly id: MessageId;
  readonly conversationId: ConversationId | null;
  readonly contact: Contact | null;
  readonly text: string;
  /** The text was longer than we keep (1 MB); what is here is its beginning. */
  readonly isTruncated: boolean;
  readonly reactions: readonly Reaction[];
  readonly attachments: readonly Attachment[];
  /**
   * Some of its reactions, attachments or their fields were left out, since there were too many; absent otherwise. The text is
   * another matter: see `isTruncated`. Both names are those of the cache on the disk.
   */
  readonly isCut?: true;
  readonly readAt: Millis | null;
  readonly createdAt: Millis | null;
  readonly updatedAt: Millis | null;
  /** Breaks ties of `createdAt` in the server's own order; 0 until merged into a thread. */
  readonly rank: number;
}

/** API document §2.2. */
export interface Conversation {
  readonly id: ConversationId;
  readonly contactId: ContactId | null;
  readonly groupId: GroupId | null;
  readonly pinnedMessageId: MessageId | null;
  readonly isPinned: boolean;
  readonly isMuted: boolean;
  readonly lastActiveAt: Millis | null;
  readonly lastOpenedAt: Millis | null;
  readonly createdAt: Millis | null;
  readonly archivedAt: Millis | null;
  /** The format in which the server wrote `created_at`; null when it gave none. */
  readonly timeFormat: TimeFormat | null;
  /** The former contact or group of a conversation that is gone on the server and is kept here for its unsent text. */
  readonly formerPartner?: Partner;
}

/** The contact or the group of a conversation; both ids are null where the server names neither. */
export type Partner = Pick<Conversation, 'contactId' | 'groupId'>;

/** One page of a list answer (API document §4). */
export interface Page<T> {
  readonly items: readonly T[];
  /** null when the answer does not say. */
  readonly hasMore: boolean | null;
  /** The cursor of the next page that the answer gives; null when it gives none. */
  readonly next: PageCursor | null;
  /** The number of rows that are left out of `items`: without a usable id, or beyond the most that are read. */
  readonly skipped: number;
}

/** Identifies a page of a list: parameters to add to the request, or a whole URL. */
export type PageCursor =
  | { readonly kind: 'query'; readonly parameters: Readonly<Record<string, string>> }
  | { readonly kind: 'url'; readonly url: string };
