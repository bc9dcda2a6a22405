/** How one server behaves where the API document is silent, as observed in answers; nothing is a guess. */
import type { Millis, TimeFormat } from './types.ts';

export type ListOrder = 'newest-first' | 'oldest-first';

/**
 * How the next page of a list is asked for. `hint`: by the cursor or URL in the page before. `parameter`: by a query
 * parameter with the last id, the page number or the count of rows. `limit`: only by a larger `limit`, since the server
 * has no pages. `none`: every way was tried and none works.
 */
export type PagingWay =
  | { readonly kind: 'hint' }
  | { readonly kind: 'parameter'; readonly name: 'starting_after' | 'after' | 'before' | 'page' | 'offset' }
  | { readonly kind: 'limit' }
  | { readonly kind: 'none' };

export interface CapabilityValues {
  /** `mixed`: the list is not sorted by time. */
  readonly messageOrder: ListOrder | 'mixed';
  readonly conversationOrder: ListOrder;
  readonly messagePaging: PagingWay;
  readonly conversationPaging: PagingWay;
  /** The largest `limit` that was answered with more items than a smaller one, or taken after a larger was refused. */
  readonly largestLimit: number;
  /** How the server writes times; `archived_at` is sent in this format when the conversation shows no time. */
  readonly timeFormat: TimeFormat;
  /** What PUT does with the strings that are sent under a reaction name. */
  readonly reactionRule: 'replace' | 'add' | 'append' | 'toggle';
  /** Whether the strings under a reaction name are usernames or contact ids. */
  readonly reactionAuthors: 'username' | 'id';
  /** Whether the server refuses a PUT that names other people under a reaction name. */
  readonly ownReactionsOnly: boolean;
  /** Whether a message keeps its text after a PUT that omits it; so with its other fields, each observed by itself. */
  readonly omittedText: 'kept' | 'dropped';
  readonly omittedReactions: 'kept' | 'dropped';
  readonly omittedFiles: 'kept' | 'dropped';
  /** Whether attachments that are sent and there already are added once more. */
  readonly appendsFiles: boolean;
  /** The value that clears `pinned_message_id`; null when none was found. */
  readonly clearPinnedMessage: '' | 'null' | null;
  /** The value that clears `archived_at`; null when none was found. */
  readonly clearArchivedAt: '' | 'null' | '0' | null;
  /** What PUT does with fields of a conversation that are not sent. */
  readonly conversationPutRule: 'partial' | 'full-replace';
  /** What the server does to a message text: nothing, it trims it, it HTML-escapes it, or something else. */
  readonly textChange: 'none' | 'trim' | 'escape' | 'unknown';
  /** Whether a request for an unchanged list is answered only when there is news (RFC 7240, `Prefer: wait`). */
  readonly waitsForNews: boolean;
}

export type CapabilityName = keyof CapabilityValues;

export interface Observed<T> {
  readonly value: T;
  readonly at: Millis;
  /** The request whose answer showed it, as `doctor` prints it: `GET /v1/messages`. */
  readonly from: string;
}

export type ServerCapabilities = { readonly [K in CapabilityName]?: Observed<CapabilityValues[K]> };

export const noCapabilities: ServerCapabilities = {};

/** Adds one observation made at `at`. Returns the same object when the value was already known. */
export function observe<K extends CapabilityName>(
  capabilities: ServerCapabilities,
  name: K,
  value: CapabilityValues[K],
  at: Millis,
  from: string,
): ServerCapabilities {
  const known = capabilities[name];
  if (known !== undefined && JSON.stringify(known.value) === JSON.stringify(value)) return capabilities;
  return { ...capabilities, [name]: { value, at, from } };
}
