/**
 * What cache.db holds of the conversation list, and the transitions that take it into the state. What the state has
 * already is newer and stays.
 */
import type { Contact, Conversation, ConversationId, Message, Millis } from '../../protocol/types.ts';
import { withEntries } from '../collections/sharded-map.ts';
import type { Transition } from '../store.ts';
import { byId, patchCache } from './conversations.ts';

export interface CachedList {
  readonly conversations: readonly Conversation[];
  readonly contacts: readonly Contact[];
  /** Newest cached message of each conversation that has any. */
  readonly lastMessages: readonly (readonly [ConversationId, Message])[];
  /** Incoming messages after the read line, for every conversation that has any. */
  readonly unread: readonly (readonly [ConversationId, number])[];
}

export interface CachedPart extends CachedList {
  /** More conversations follow. */
  readonly hasMore: boolean;
}

/** When and how the conversation list was last read to its end. It does not prove that a missing one is gone. */
export interface ListReadingRecord {
  /** When the reading ended. */
  readonly at: Millis;
  readonly pages: number;
  /** The server lists archived conversations in a separate list only. */
  readonly leavesOutArchived: boolean;
}

export const takeCachedList =
  (part: CachedList): Transition =>
  (state) => {
    const { cache } = state;
    const fresh = part.conversations.filter(({ id }) => !cache.conversations.has(id));
    const isFresh = ([id]: readonly [ConversationId, unknown]): boolean => !cache.conversations.has(id);
    return patchCache(takeCachedContacts(part.contacts)(state), {
      conversations: withEntries(cache.conversations, byId(fresh)),
      lastMessages: withEntries(cache.lastMessages, part.lastMessages.filter(isFresh)),
      unread: withEntries(cache.unread, part.unread.filter(isFresh)),
    });
  };

export const takeCachedContacts =
  (contacts: readonly Contact[]): Transition =>
  (state) => {
    const held = state.cache.contacts;
    return patchCache(state, { contacts: withEntries(held, byId(contacts.filter(({ id }) => !held.has(id)))) });
  };
