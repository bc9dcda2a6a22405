/** What has been observed of one server where the API document is silent; never guessed, never probed by a write. */
import type { Millis, TimeFormat } from './types.ts';

export type ListOrder = 'newest-first' | 'oldest-first';

/** How the page after this one is asked for. `limit`: no paging, a larger `limit` is the only way. */
export type PagingWay =
  | { readonly kind: 'hint' }
  | { readonly kind: 'parameter'; readonly name: 'starting_after' | 'after' | 'before' | 'page' | 'offset' }
  | { readonly kind: 'limit' }
  | { readonly kind: 'none' };

export interface CapabilityValues {
  /** `mixed`: not by time. */
  readonly messageOrder: ListOrder | 'mixed';
  readonly conversationOrder: ListOrder;
  readonly messagePaging: PagingWay;
  readonly conversationPaging: PagingWay;
  /** The largest `limit` that was answered with more items than a smaller one. */
  readonly largestLimit: number;
  /** How times are written; what is sent is written so where the conversation itself does not show it. */
  readonly timeFormat: TimeFormat;
  /** What PUT does with reactions. */
  readonly reactionRule: 'replace' | 'add' | 'append' | 'toggle';
  /** What the strings under a reaction name are. */
  readonly reactionAlphabet: 'username' | 'id';
  /** Only the caller's own strings may be sent under a reaction name. */
  readonly ownReactionsOnly: boolean;
  /** What PUT makes of an empty string under a reaction name: nobody, or one more string. */
  readonly emptyReaction: 'nobody' | 'a string';
  /** What PUT does with fields of a message that are not sent. */
  readonly putRule: 'partial' | 'full-replace';
  /** What PUT does with the text of a message when it is not sent. */
  readonly putText: 'kept' | 'dropped';
  /** The value that clears `pinned_message_id`; null when nothing does. */
  readonly clearPinnedMessage: '' | 'null' | null;
  /** The value that clears `archived_at`; null when nothing does. */
  readonly clearArchivedAt: '' | 'null' | '0' | null;
  /** What PUT does with fields of a conversation that are not sent. */
  readonly conversationPutRule: 'partial' | 'full-replace';
  /** What the server does to a message text: kept as sent, trimmed, HTML-escaped, or something else. */
  readonly textChange: 'none' | 'trim' | 'escape' | 'unknown';
}

export type CapabilityName = keyof CapabilityValues;

export interface Learned<T> {
  readonly value: T;
  readonly at: Millis;
  /** What it was learned from, for people: `GET /v1/messages`. */
  readonly from: string;
}

export type ServerCapabilities = { readonly [K in CapabilityName]?: Learned<CapabilityValues[K]> };

export const noTraits: ServerCapabilities = {};

/** The same object when the value was already known. */
export function learn<K extends CapabilityName>(
  traits: ServerCapabilities,
  name: K,
  value: CapabilityValues[K],
  at: Millis,
  from: string,
): ServerCapabilities {
  const known = traits[name];
  if (known !== undefined && JSON.stringify(known.value) === JSON.stringify(value)) return traits;
  return { ...traits, [name]: { value, at, from } };
}

/** Only what was learned, and null for what was forgotten. */
export type TraitChanges = { readonly [K in CapabilityName]?: ServerCapabilities[K] | null };

/** null when the two are the same. */
export function traitChanges(before: ServerCapabilities, after: ServerCapabilities): TraitChanges | null {
  if (before === after) return null;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])] as CapabilityName[];
  const changed = names.filter((name) => before[name] !== after[name]);
  return changed.length === 0 ? null : Object.fromEntries(changed.map((name) => [name, after[name] ?? null]));
}

export function withTraitChanges(traits: ServerCapabilities, changes: TraitChanges): ServerCapabilities {
  const next = Object.entries({ ...traits, ...changes }).filter(([, learned]) => learned !== null);
  return Object.fromEntries(next) as ServerCapabilities;
}
