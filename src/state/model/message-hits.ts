/** The result of a message search through the cache, and how much of the cache it has searched. */
import type { ConversationId, Message, Millis } from '../../protocol/types.ts';

export interface MessageSearchResult {
  /** The identity of the query (`state/search/search-query.ts`): the result belongs to every query with an equal one. */
  readonly identity: string;
  /** What is marked in the hits, folded. */
  readonly words: readonly string[];
  /** The conversation that was searched; null: all of them. */
  readonly conversationId: ConversationId | null;
  /** The newest hits, newest first. */
  readonly hits: readonly MessageHit[];
  /** The number of all hits, also of those that are too old for `hits`. */
  readonly count: number;
  readonly coverage: Coverage;
  readonly isDone: boolean;
}

export interface MessageHit {
  readonly conversationId: ConversationId;
  readonly message: Message;
  /** A piece of its text around the first matching word; raw, to be sanitised before it is shown. */
  readonly excerpt: string;
}

/** How much was searched so far. */
export interface Coverage {
  readonly messages: number;
  /** Conversations of which at least one message was searched. */
  readonly conversations: number;
  /** The number of all known conversations. */
  readonly known: number;
  /** Time of the oldest message that was searched. */
  readonly oldest: Millis | null;
  /** Conversations that were searched, of which the cache does not hold the whole history. */
  readonly inPart: number;
}
