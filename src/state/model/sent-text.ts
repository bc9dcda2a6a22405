/** A text that the user has sent. */
import type { ConversationId, Millis } from '../../protocol/types.ts';

export interface SentText {
  readonly conversationId: ConversationId;
  readonly text: string;
  readonly at: Millis;
}
