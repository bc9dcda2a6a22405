/** The types of the API's JSON bodies as our server writes them (API document §2, §4, §7). */

/** Integer seconds since 1970-01-01T00:00:00Z. */
export type WireTime = number;

/** API document §2.3. Unknown numbers and addresses are empty strings, as the document has no null for them. */
export interface WireContact {
  readonly id: string;
  readonly username: string;
  readonly phone_number: string;
  readonly avatar_url: string;
  readonly last_active_at: WireTime | null;
  readonly created_at: WireTime;
}

/** API document §2.4: exactly one reaction name and the usernames under it, in the order they reacted. */
export type WireReaction = Readonly<Record<string, readonly string[]>>;

/** API document §2.5 does not show the fields; these are our choice. */
export interface WireAttachment {
  readonly id: string;
  readonly message_id: string;
  readonly filename: string;
  readonly file_url: string;
  readonly file_type: string | null;
  /** Bytes. */
  readonly file_size: number | null;
  readonly created_at: WireTime;
}

/** API document §2.1. */
export interface WireMessage {
  readonly id: string;
  readonly conversation_id: string;
  readonly contact: WireContact;
  readonly message: string;
  readonly reactions: readonly WireReaction[];
  readonly attachments: readonly WireAttachment[];
  readonly read_at: WireTime | null;
  readonly created_at: WireTime;
  readonly updated_at: WireTime | null;
}

/** API document §2.2. */
export interface WireConversation {
  readonly id: string;
  readonly contact_id: string | null;
  readonly group_id: string | null;
  readonly pinned_message_id: string | null;
  readonly is_pinned: boolean;
  readonly is_muted: boolean;
  readonly last_active_at: WireTime | null;
  readonly last_opened_at: WireTime | null;
  readonly created_at: WireTime;
  readonly archived_at: WireTime | null;
}

/** API document §4, General. */
export interface WireList<T> {
  readonly has_more: boolean;
  readonly data: readonly T[];
}

/** API document §7 does not show the shape; this is our choice. */
export interface WireError {
  readonly type: string;
  readonly message: string;
  readonly documentation_url: string;
  readonly code: string;
  /** The wrong parameter in bracket notation; null when the error concerns none. */
  readonly param: string | null;
  readonly request_id: string;
}
