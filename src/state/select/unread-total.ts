/** The unread messages of all conversations that are neither muted nor archived, for the header and the window's title. */
import type { Conversation, ConversationId } from '../../protocol/types.ts';
import { memoLast } from '../collections/memo.ts';
import { isMutedOrArchived } from '../local/muted-or-archived.ts';
import { shownConversation } from '../local/optimistic-values.ts';
import type { AppState, Op } from '../model/app-state.ts';
import { listOps } from './listed-conversations.ts';

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
