/** What sync reports about messages that have arrived. Notifications listen to it. */
import type { ConversationId, Message } from '../../protocol/types.ts';

/** Messages of others that were not known before and are unread. They are in the state already. */
export interface Incoming {
  readonly conversationId: ConversationId;
  /** Oldest first; never empty. */
  readonly messages: readonly Message[];
}
