/** Selectors for commands and the view. They are memoised: a result that did not change is the same object. */
import type { Conversation, ConversationId } from '../../protocol/types.ts';
import { memoLast, sameList } from '../collections/memo.ts';
import { emptyDraft, type Range } from '../composer/draft.ts';
import { onCluster } from '../composer/vim/lines.ts';
import { visualRange } from '../composer/vim/selected.ts';
import { newVim } from '../composer/vim/vim.ts';
import { isMutedOrArchived } from '../local/muting.ts';
import { shownConversation } from '../local/optimistic-values.ts';
import { opsOf } from '../local/outbox.ts';
import type { AppState, Draft, Op, Place } from '../model/app-state.ts';
import type { Vim } from '../model/vim.ts';
import { listOps } from './listed-conversations.ts';
import { selectThreadItems, type ThreadItem } from './thread-items.ts';

export { selectListOrder } from './listed-conversations.ts';
export { selectConversationName } from './names.ts';
export type { ReactionChip } from './reactions.ts';
export {
  type MessageItem,
  type PendingId,
  type PendingItem,
  selectThreadItems,
  type ThreadItem,
} from './thread-items.ts';

interface Overlaid {
  readonly ops: readonly Op[];
  readonly shown: Conversation | null;
}

const overlaid = new WeakMap<Conversation, Overlaid>();

/** The conversation with pending changes applied; null when it is not known, or its deletion is pending. */
export function selectConversation(state: AppState, id: ConversationId): Conversation | null {
  const conversation = state.cache.conversations.get(id);
  return conversation === undefined ? null : withPending(state, conversation);
}

/** Like `selectConversation`, for a conversation object of the cache. */
export function withPending(state: AppState, conversation: Conversation): Conversation | null {
  const ops = opsOf(state, conversation.id);
  if (ops.length === 0) return conversation;
  const held = overlaid.get(conversation);
  if (held !== undefined && sameList(held.ops, ops)) return held.shown;
  const shown = shownConversation(conversation, ops);
  overlaid.set(conversation, { ops, shown });
  return shown;
}

export const selectOpen = (state: AppState): Conversation | null =>
  state.view.openId === null ? null : selectConversation(state, state.view.openId);

/** The number of incoming messages after the read line. */
export const selectUnread = (state: AppState, id: ConversationId): number => state.cache.unread.get(id) ?? 0;

/** The draft of the open conversation; the empty one when none is open. */
export const selectComposer = (state: AppState): Draft =>
  (state.view.openId === null ? undefined : state.local.drafts.get(state.view.openId)) ?? emptyDraft;

const newest: Place = { scroll: { at: 'bottom' }, selectedId: null };

export const selectPlace = (state: AppState, id: ConversationId): Place => state.view.places.get(id) ?? newest;

/** The item that the message list has selected in the open conversation. */
export function selectSelectedItem(state: AppState): ThreadItem | null {
  const { openId } = state.view;
  if (openId === null) return null;
  const { selectedId } = selectPlace(state, openId);
  if (selectedId === null) return null;
  return selectThreadItems(state, openId).find((item) => item.id === selectedId) ?? null;
}

export interface OutboxCounts {
  /** Waiting or on their way. */
  readonly queued: number;
  readonly unsure: number;
  readonly failed: number;
}

export function countOps(ops: readonly Op[]): OutboxCounts {
  const counts = { queued: 0, unsure: 0, failed: 0 };
  for (const { state } of ops) counts[state === 'sending' ? 'queued' : state]++;
  return counts;
}

const fresh = memoLast((id: ConversationId): Vim => newVim(id));

/** Which of vim's modes the composer is in. Null where no conversation is open, and with the keys of other profiles. */
export function selectVim({ settings, view }: AppState): Vim | null {
  const { openId, vim = null } = view;
  if (openId === null || settings.keys.profile !== 'vim') return null;
  return vim?.conversationId === openId ? vim : fresh(openId);
}

/** Whether characters are commands of vim and not text. */
export function isVimCommanding(state: AppState): boolean {
  const vim = selectVim(state);
  return vim !== null && vim.mode !== 'insert';
}

/** Whether a command of vim waits for more keys: Enter and Esc only cancel it. */
export const isVimWaiting = (state: AppState): boolean => (selectVim(state)?.pending.keys ?? '') !== '';

/** Where the composer's cursor is drawn: in normal mode, on a character. */
export function selectCursor(state: AppState): number {
  const { text, cursor } = selectComposer(state);
  return selectVim(state)?.mode === 'normal' ? onCluster(text, cursor) : cursor;
}

/** What is selected in a visual mode; null for nothing. */
export function selectVisualRange(state: AppState): Range | null {
  const vim = selectVim(state);
  return vim === null ? null : visualRange(vim, { text: selectComposer(state).text, cursor: selectCursor(state) });
}

/** The unread messages of all conversations that are neither muted nor archived, for the header and the window's title. */
export const selectUnreadTotal = (state: AppState): number =>
  total(state.cache.unread, state.cache.conversations, listOps(state.local.outbox));

const total = memoLast(
  (
    unread: ReadonlyMap<ConversationId, number>,
    conversations: ReadonlyMap<ConversationId, Conversation>,
    ops: readonly Op[],
  ): number => {
    let sum = 0;
    for (const [id, count] of unread) {
      const conversation = conversations.get(id);
      const shown = conversation === undefined ? null : shownConversation(conversation, ops);
      if (shown !== null && !isMutedOrArchived(shown)) sum += count;
    }
    return sum;
  },
);
