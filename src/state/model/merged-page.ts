/** What sync reports of the pages that it has read. The commands `tail` and `wait` listen to it. */
import type { ConversationId, Message, MessageId } from '../../protocol/types.ts';

/** A newest page that was read, and is in the state and in the cache already. */
export interface MergedPage {
  readonly conversationId: ConversationId;
  /** All rows of the newest page, oldest first, also those that were known: another process may have cached them. */
  readonly messages: readonly Message[];
  /** Messages that are gone on the server. */
  readonly removed: readonly MessageId[];
}
