/** What a search through the cache has found so far, and how far it has looked. */
import type { ConversationId, Message, Millis } from '../../protocol/types.ts';

export interface Found {
  /** What was searched for and where; null is everywhere. */
  readonly words: readonly string[];
  readonly conversationId: ConversationId | null;
  /** The newest ones, newest first. */
  readonly hits: readonly Hit[];
  /** All hits, also those that are not kept. */
  readonly count: number;
  readonly coverage: Coverage;
  readonly isDone: boolean;
}

export interface Hit {
  readonly conversationId: ConversationId;
  readonly message: Message;
  /** A raw piece of its text, around the first word. */
  readonly excerpt: string;
}

/** What was looked through, counted while looking. */
export interface Coverage {
  readonly messages: number;
  /** Those of which at least one message was looked at. */
  readonly conversations: number;
  /** All that are known. */
  readonly known: number;
  readonly oldest: Millis | null;
  /** The cache holds all that one conversation has; false for a search everywhere. */
  readonly isWhole: boolean;
}
