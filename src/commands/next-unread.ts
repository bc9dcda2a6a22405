/** Opens the next or previous unread conversation. */
import type { ConversationId } from '../protocol/types.ts';
import { indexIn } from '../state/collections/index-hint.ts';
import { selectConversation, selectListOrder, selectUnread } from '../state/select/selectors.ts';
import { rememberPlace } from '../state/view/jumps.ts';
import { setScroll } from '../state/view/thread-place.ts';
import type { CommandContext } from './context.ts';
import { notify } from './notify.ts';
import { openInPassing } from './open-conversation.ts';

/**
 * Opens the nearest unread conversation in that direction, and goes on at the other end of the list; a muted one only
 * where no other is unread.
 */
export function openNextUnread(context: CommandContext, direction: -1 | 1): void {
  const state = context.get();
  const order = selectListOrder(state);
  const current = state.view.openId === null ? -1 : indexIn(order, state.view.openId);
  const start = current === -1 && direction === -1 ? order.length : current;
  let muted: ConversationId | null = null;
  // Ends the search of a long list as soon as all unread conversations have been met.
  let left = state.cache.unread.size;
  for (let step = 1; step <= order.length && left > 0; step++) {
    const id = order[(start + direction * step + order.length) % order.length];
    if (id === undefined || selectUnread(state, id) === 0) continue;
    left -= 1;
    if (id === state.view.openId) continue;
    if (selectConversation(state, id)?.isMuted !== true) {
      openUnread(context, id);
      return;
    }
    muted ??= id;
  }
  if (muted === null) {
    notify(context, 'Nothing else is unread in this list');
    return;
  }
  openUnread(context, muted);
}

function openUnread(context: CommandContext, id: ConversationId): void {
  context.update(rememberPlace);
  // It opens where unread begins, and not where it was left, which may be far from there.
  context.update(setScroll(id, { at: 'bottom' }));
  openInPassing(context, id);
}
