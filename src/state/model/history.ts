/** Places in the history of a conversation, which may be known here or on the server alone. */
import type { MessageId, Millis } from '../../protocol/types.ts';

/** The position of a message in the order of its conversation. */
export interface HistoryKey {
  readonly createdAt: number | null;
  readonly rank: number;
  readonly id: MessageId;
}

/**
 * What is looked for in a history: its first message, the first one at or after a moment, a certain one, or the nearest one
 * before a reply that it quotes (in the whole history where `before` is null).
 */
export type HistoryAim =
  | { readonly kind: 'first' }
  | { readonly kind: 'date'; readonly at: Millis }
  | { readonly kind: 'message'; readonly messageId: MessageId }
  | { readonly kind: 'quoted'; readonly quote: Quote; readonly before: HistoryKey | null };

/** What a reply says of the message that it quotes; see `composer/quote.ts`. */
export interface Quote {
  /** The name that others know the author by. */
  readonly author: string;
  /** What `quotedText` gives for the message. */
  readonly body: string;
  /** The offset after the quote, at which the text of the reply itself begins. */
  readonly end: number;
}

/** The place of a message; `further back`: it may be in what was not fetched yet; null where there is no such message. */
export type Found = HistoryKey | 'further back' | null;

/** The result of a search that fetches history. */
export interface FetchedBack {
  readonly found: HistoryKey | null;
  /** Why it ended before the end of the history; null where it did not. */
  readonly trouble: string | null;
}
