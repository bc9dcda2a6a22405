/** Transitions of `cache` for conversations, contacts, previews and unread counts; made from server answers alone. */
import type { Contact, Conversation, ConversationId, Message } from '../../protocol/types.ts';
import { isPatched, sameValue } from '../collections/equal.ts';
import { withEntries, withEntry, withoutEntries, withoutEntry } from '../collections/sharded-map.ts';
import type { AppState, Cache, Op } from '../model/app-state.ts';
import type { Transition } from '../store.ts';
import { compareMessages } from './thread-order.ts';

export const patchCache = (state: AppState, patch: Partial<Cache>): AppState =>
  isPatched(state.cache, patch) ? state : { ...state, cache: { ...state.cache, ...patch } };

/** Merges by id and keeps unchanged objects. */
export function applyConversations(list: readonly Conversation[]): Transition {
  return (state) => {
    const held = state.cache.conversations;
    const news = list.filter((conversation) => !sameValue(held.get(conversation.id), conversation));
    return patchCache(state, { conversations: withEntries(held, byId(news)) });
  };
}

/** Entries of a map by id. */
export const byId = <T extends { readonly id: string }>(items: readonly T[]) =>
  items.map((item) => [item.id, item] as const);

export const applyConversation = (conversation: Conversation): Transition => applyConversations([conversation]);

/** The ids of cached conversations that a complete list lacks, without those that have unsettled writes. */
export function vanished(state: AppState, present: ReadonlySet<ConversationId>): readonly ConversationId[] {
  const pending = new Set(state.local.outbox.map(conversationOf));
  return [...state.cache.conversations.keys()].filter((id) => !present.has(id) && !pending.has(id));
}

/** The conversation that an op is about; null while it has yet to be created. */
export function conversationOf(op: Pick<Op, 'action'>): ConversationId | null {
  return op.action.kind === 'conversation.create' ? null : op.action.conversationId;
}

/** Removes a conversation from the cache. Its drafts and queued writes are local and stay. */
export const removeConversation = (id: ConversationId): Transition => removeConversations([id]);

const removeConversations =
  (ids: readonly ConversationId[]): Transition =>
  (state) =>
    patchCache(state, {
      conversations: withoutEntries(state.cache.conversations, ids),
      lastMessages: withoutEntries(state.cache.lastMessages, ids),
      foundEmpty: withoutEntries(state.cache.foundEmpty, ids),
      unread: withoutEntries(state.cache.unread, ids),
      threads: withoutEntries(state.cache.threads, ids),
      pinned: withoutEntries(state.cache.pinned, ids),
    });

/** Adds contacts seen in messages; of two objects with one id the later one is kept. */
export function applyContacts(contacts: readonly Contact[]): Transition {
  return (state) => {
    const held = state.cache.contacts;
    const latest = new Map(byId(contacts));
    const news = [...latest.values()].filter((contact) => !sameValue(held.get(contact.id), contact));
    return patchCache(state, { contacts: withEntries(held, byId(news)) });
  };
}

/** The newest contact object of every sender. `messages`: oldest first. */
export function contactsIn(messages: readonly Message[]): readonly Contact[] {
  const found = new Map<string, Contact>();
  for (const { contact } of messages) if (contact !== null) found.set(contact.id, contact);
  return [...found.values()];
}

/** Sets the preview of the conversation to the message, unless a newer one is known. */
export function applyLastMessage(conversationId: ConversationId, message: Message): Transition {
  return (state) => {
    const held = state.cache.lastMessages.get(conversationId);
    if (held !== undefined && held.id !== message.id && compareMessages(held, message) > 0) return state;
    if (held !== undefined && sameValue(held, message)) return state;
    return patchCache(state, { lastMessages: withEntry(state.cache.lastMessages, conversationId, message) });
  };
}

/** The messages held in memory of a conversation, oldest first: the window of its thread, else its newest one alone. */
export function knownMessages({ cache }: AppState, id: ConversationId): readonly Message[] {
  const last = cache.lastMessages.get(id);
  return cache.threads.get(id)?.messages ?? (last === undefined ? [] : [last]);
}

/** Replaces the preview after the newest message was deleted. `message`: the one before it, if any. */
export const replaceLastMessage =
  (conversationId: ConversationId, message: Message | null): Transition =>
  (state) =>
    patchCache(state, {
      lastMessages:
        message === null
          ? withoutEntry(state.cache.lastMessages, conversationId)
          : withEntry(state.cache.lastMessages, conversationId, message),
    });

/** Records for conversations whose whole history was read whether it was empty. */
export const setEmpty =
  (ids: readonly ConversationId[], isEmpty: boolean): Transition =>
  (state) => {
    const { foundEmpty } = state.cache;
    const entries = ids.map((id) => [id, true] as const);
    return patchCache(state, {
      foundEmpty: isEmpty ? withEntries(foundEmpty, entries) : withoutEntries(foundEmpty, ids),
    });
  };

/** Sets the count of unread messages; a count of 0 removes the entry. */
export const setUnread =
  (conversationId: ConversationId, count: number): Transition =>
  (state) =>
    patchCache(state, {
      unread:
        count === 0
          ? withoutEntry(state.cache.unread, conversationId)
          : withEntry(state.cache.unread, conversationId, count),
    });
