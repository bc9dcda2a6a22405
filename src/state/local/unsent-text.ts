/** Texts that no server has (drafts, unsent messages and edits): counted, and kept when their conversation is gone. */
import type { Conversation, ConversationId } from '../../protocol/types.ts';
import { conversationOf, patchCache, removeConversation, setUnread } from '../cache/conversations.ts';
import { withEntry } from '../collections/sharded-map.ts';
import type { AppState, Draft, Local } from '../model/app-state.ts';
import { keepsUserText } from '../model/op-state.ts';
import type { Transition } from '../store.ts';
import { opsOf } from './outbox.ts';

/** Whether it has a text or an attachment; what comes back when editing or recalling ends counts, also while the field is empty. */
export const hasUnsentContent = ({ text, attachments = [], editing, recalled }: Draft): boolean =>
  attachments.length > 0 || [text, editing?.stash, recalled?.stash].some((one = '') => one !== '');

/** All that was written in a draft and is not sent: also what comes back when editing or recalling ends. */
export function unsentTextOf({ text, editing, recalled }: Draft): string {
  const own = text === editing?.base ? '' : text;
  return [recalled?.stash ?? '', editing?.stash ?? '', own].filter((one) => one.trim() !== '').join('\n');
}

/** Counts the unsent messages, unsent edits and the draft of a conversation. */
export function countUnsent(state: AppState, id: ConversationId): number {
  const draft = state.local.drafts.get(id);
  return opsOf(state, id).filter(keepsUserText).length + (draft !== undefined && hasUnsentContent(draft) ? 1 : 0);
}

/** Counts the same in all conversations. */
export const countAllUnsent = ({ outbox, drafts }: Pick<Local, 'outbox' | 'drafts'>): number =>
  outbox.filter(keepsUserText).length + [...drafts.values()].filter(hasUnsentContent).length;

/** Counts the texts that quitting would lose: those not sent that the disk does not have. */
export const countLostOnQuit = ({ view, local }: AppState): number =>
  view.isVolatile === true ? countAllUnsent(local) : (view.unsavedDrafts ?? 0);

/** The texts that quitting would lose, and why. */
export function lostOnQuitText(state: AppState): string {
  const count = countLostOnQuit(state);
  const texts = count === 1 ? 'One text was not sent.' : `${count} texts were not sent.`;
  return `${texts} ${state.view.isVolatile === true ? 'Nothing is kept on disk here' : 'The disk takes no drafts'}`;
}

/** Whether this machine has no data of any account yet. */
export const hasNoData = ({ cache, local }: AppState): boolean =>
  cache.conversations.size === 0 && local.outbox.length === 0 && local.drafts.size === 0 && local.me === null;

/** The ids of all conversations with unsent text, also of those that the cache does not know. */
export function conversationsWithUnsentText(state: AppState): ReadonlySet<ConversationId> {
  const found = new Set<ConversationId>();
  for (const op of state.local.outbox) {
    const id = conversationOf(op);
    if (id !== null && keepsUserText(op)) found.add(id);
  }
  for (const [id, draft] of state.local.drafts) if (hasUnsentContent(draft)) found.add(id);
  return found;
}

/**
 * Removes a conversation that the server no longer has. With unsent text it stays in the list, in memory only, so that
 * the user can reach the text. It is with nobody any more, so that a new conversation with its partner can be started, and
 * nothing in it is unread.
 */
export const removeUnlessUnsent =
  (id: ConversationId): Transition =>
  (state) => {
    if (countUnsent(state, id) === 0) return removeConversation(id)(state);
    const { conversations } = state.cache;
    const held = conversations.get(id);
    const kept = withoutPartner(held ?? nameless(state, id));
    const rest = setUnread(id, 0)(state);
    return kept === held ? rest : patchCache(rest, { conversations: withEntry(conversations, id, kept) });
  };

function withoutPartner(conversation: Conversation): Conversation {
  const { contactId, groupId, formerPartner } = conversation;
  if (formerPartner !== undefined) return conversation;
  return { ...conversation, contactId: null, groupId: null, formerPartner: { contactId, groupId } };
}

/** After a restart, the recipients of its unsent messages are all that is known of such a conversation. */
const nameless = (state: AppState, id: ConversationId): Conversation => ({
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
  ...opsOf(state, id).find(({ recipient }) => recipient !== undefined)?.recipient,
});
