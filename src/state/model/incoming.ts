/**
 * What sync reports of pages that it has read: new messages, for notifications, and whole pages, for the commands `tail`
 * and `wait`.
 */
import type { ConversationId, Message, MessageId } from '../../protocol/types.ts';

/** Messages of others that were not known before and are unread. They are in the state already. */
export interface Incoming {
  readonly conversationId: ConversationId;
  /** Oldest first; never empty. */
  readonly messages: readonly Message[];
  /** How far the clock of the server is behind the one here; left out where the server does not say. */
  readonly behindMs?: number;
}

/** A newest page that was read, and is in the state and in the cache already. */
export interface MergedPage {
  readonly conversationId: ConversationId;
  /** All rows of the newest page, oldest first, also those that were known: another process may have cached them. */
  readonly messages: readonly Message[];
  /** Messages that are gone on the server. */
  readonly removed: readonly MessageId[];
}
