/** The user's own words that no server has: where they are, also when their conversation is gone. */
import type { Conversation, ConversationId } from '../../protocol/types.ts';
import { conversationOf, patchCache, removeConversation } from '../cache/conversations.ts';
import { withEntry } from '../collections/sharded-map.ts';
import type { AppState, Op } from '../model/app-state.ts';
import type { Transition } from '../store.ts';
import { opsOf } from './outbox.ts';

const hasWords = ({ action }: Op): boolean => action.kind === 'message.send' || action.kind === 'message.edit';

/** Unsent messages, unsent edits and a draft. */
export function countUnsent(state: AppState, id: ConversationId): number {
  const isDraft = (state.local.drafts.get(id)?.text ?? '') !== '';
  return opsOf(state, id).filter(hasWords).length + (isDraft ? 1 : 0);
}

/** The same in all conversations. */
export const countAllUnsent = ({ local }: AppState): number =>
  local.outbox.filter(hasWords).length + [...local.drafts.values()].filter(({ text }) => text !== '').length;

/** Nothing here belongs to any account yet. */
export const holdsNothing = ({ cache, local }: AppState): boolean =>
  cache.conversations.size === 0 && local.outbox.length === 0 && local.drafts.size === 0 && local.me === null;

/** Every conversation that holds words, known or not. */
export function conversationsWithWords(state: AppState): ReadonlySet<ConversationId> {
  const found = new Set<ConversationId>();
  for (const op of state.local.outbox) {
    const id = conversationOf(op);
    if (id !== null && hasWords(op)) found.add(id);
  }
  for (const [id, draft] of state.local.drafts) if (draft.text !== '') found.add(id);
  return found;
}

/**
 * The server does not have the conversation any more. It goes from the cache, unless it holds words: then it stays in
 * the list, in memory only and even when nothing else is known of it, until they are edited, discarded or copied.
 */
export const loseConversation =
  (id: ConversationId): Transition =>
  (state) => {
    if (countUnsent(state, id) === 0) return removeConversation(id)(state);
    if (state.cache.conversations.has(id)) return state;
    return patchCache(state, { conversations: withEntry(state.cache.conversations, id, nameless(id)) });
  };

const nameless = (id: ConversationId): Conversation => ({
  id,
  contactId: null,
  groupId: null,
  pinnedMessageId: null,
  isPinned: false,
  isMuted: false,
  lastActiveAt: null,
  lastOpenedAt: null,
  createdAt: null,
  archivedAt: null,
  timeFormat: null,
});
