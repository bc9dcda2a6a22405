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
  | { readonly kind: 'iso' }
  | { readonly kind: 'rfc' };

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
  /** Empty: the server did not say it in a way that can be read. */
  readonly name: string;
  /** Each string once. */
  readonly by: readonly string[];
  /** How often the server lists a string once more; absent when never. */
  readonly repeats?: number;
  /** How many more there are, of people that the server does not name; absent when none. */
  readonly untold?: number;
}

/** API document §2.5. `fields` is the object as received, so that an echo loses nothing. */
export interface Attachment {
  readonly label: string;
  readonly url: string | null;
  readonly size: number | null;
  readonly mediaType: string | null;
  readonly fields: Readonly<Record<string, JsonValue>>;
}

/** API document §2.1. `text` is raw: it reaches a screen only through `text/sanitize`. */
export interface Message {
  readonly id: MessageId;
  readonly conversationId: ConversationId | null;
  readonly contact: Contact | null;
  readonly text: string;
  /** The text was longer than we keep (1 MB); what is here is its beginning. */
  readonly isTruncated: boolean;
  readonly reactions: readonly Reaction[];
  /** How many empty strings the server lists under reaction names, which stand for nobody; absent when none. */
  readonly blankReactions?: number;
  readonly attachments: readonly Attachment[];
  /** It had more reactions, attachments, or fields of these than are kept; absent when all are here. */
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
  /** How this server wrote `created_at` here; null when it gave none. */
  readonly timeFormat: TimeFormat | null;
}

/** One page of a list answer (API document §4). */
export interface Page<T> {
  readonly items: readonly T[];
  /** null: the answer did not say. */
  readonly hasMore: boolean | null;
  /** Where the answer itself says the next page is; null when it gives no hint. */
  readonly next: PageCursor | null;
  /** Rows without a usable shape (no id), left out of `items`. */
  readonly skipped: number;
}

/** What to add to a list request to get another page of it. */
export type PageCursor =
  | { readonly kind: 'query'; readonly parameters: Readonly<Record<string, string>> }
  | { readonly kind: 'url'; readonly url: string };
