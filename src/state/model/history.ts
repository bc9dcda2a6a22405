/** Places in the history of a conversation, which may be known here or on the server alone. */
import type { MessageId, Millis } from '../../protocol/types.ts';

/** The position of a message in the order of its conversation. */
export interface HistoryKey {
  readonly createdAt: number | null;
  readonly rank: number;
  readonly id: MessageId;
}

/** What is looked for in a history: its first message, the first one at or after a moment, or a certain one. */
export type HistoryAim =
  | { readonly kind: 'first' }
  | { readonly kind: 'date'; readonly at: Millis }
  | { readonly kind: 'message'; readonly messageId: MessageId };

/** Where it is; `further back`: in what was not fetched yet, if anywhere; null where there is no such message. */
export type Found = HistoryKey | 'further back' | null;

/** What a search that fetches history ended with. */
export interface FetchedBack {
  readonly found: HistoryKey | null;
  /** Why it ended before the end of the history; null where it did not. */
  readonly trouble: string | null;
}
