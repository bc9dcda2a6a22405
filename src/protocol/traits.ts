/** What has been observed of one server where the API document is silent; never guessed, never probed by a write. */
import type { Millis } from './types.ts';

export type ListOrder = 'newest-first' | 'oldest-first';

/** How the page after this one is asked for. `limit`: no paging, a larger `limit` is the only way. */
export type PagingWay =
  | { readonly kind: 'hint' }
  | { readonly kind: 'parameter'; readonly name: 'starting_after' | 'after' | 'before' | 'page' | 'offset' }
  | { readonly kind: 'limit' }
  | { readonly kind: 'none' };

export interface TraitValues {
  readonly messageOrder: ListOrder;
  readonly conversationOrder: ListOrder;
  readonly messagePaging: PagingWay;
  readonly conversationPaging: PagingWay;
  /** The largest `limit` that was answered with more items than a smaller one. */
  readonly largestLimit: number;
  /** What PUT does with reactions. */
  readonly reactionRule: 'replace' | 'add' | 'append' | 'toggle';
  /** What the strings under a reaction name are. */
  readonly reactionAlphabet: 'username' | 'id';
  /** Only the caller's own strings may be sent under a reaction name. */
  readonly ownReactionsOnly: boolean;
  /** What PUT does with fields of a message that are not sent. */
  readonly putRule: 'partial' | 'full-replace';
  /** The value that clears `pinned_message_id`; null when nothing does. */
  readonly clearPinnedMessage: '' | 'null' | null;
  /** The value that clears `archived_at`; null when nothing does. */
  readonly clearArchivedAt: '' | 'null' | '0' | null;
  /** What PUT does with fields of a conversation that are not sent. */
  readonly conversationPutRule: 'partial' | 'full-replace';
  /** What the server does to a message text: kept as sent, trimmed, HTML-escaped, or something else. */
  readonly textChange: 'none' | 'trim' | 'escape' | 'unknown';
  /** Retrieving a conversation sets `read_at`. */
  readonly marksRead: boolean;
}

export type TraitName = keyof TraitValues;

export interface Learned<T> {
  readonly value: T;
  readonly at: Millis;
  /** What it was learned from, for people: `GET /v1/messages`. */
  readonly from: string;
}

export type ServerTraits = { readonly [K in TraitName]?: Learned<TraitValues[K]> };

export const noTraits: ServerTraits = {};

/** The same object when the value was already known. */
export function learn<K extends TraitName>(
  traits: ServerTraits,
  name: K,
  value: TraitValues[K],
  at: Millis,
  from: string,
): ServerTraits {
  const known = traits[name];
  if (known !== undefined && JSON.stringify(known.value) === JSON.stringify(value)) return traits;
  return { ...traits, [name]: { value, at, from } };
}
