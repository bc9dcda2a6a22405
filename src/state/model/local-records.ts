/** Types of records that exist only here: how often and how lately something was chosen, and texts that were sent. */
import type { ConversationId, Millis } from '../../protocol/types.ts';

export interface Use {
  /** The number of uses, each of which counts half as much after every week. It holds for the time `at`. */
  readonly weight: number;
  /** The last use. */
  readonly at: Millis;
}

/** Why a change left the outbox undone. */
export interface Refusal {
  /** For the user; raw text, not sanitised. */
  readonly reason: string;
  /** The status or error code that decided it. */
  readonly evidence: string;
  readonly at: Millis;
}

/** A text that the user has sent. */
export interface SentText {
  readonly conversationId: ConversationId;
  readonly text: string;
  readonly at: Millis;
}
