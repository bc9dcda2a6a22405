/** Triage: opens the next or previous unread conversation, and at the end the one where it began. */
import type { ConversationId } from '../protocol/types.ts';
import { indexIn } from '../state/collections/index-hint.ts';
import type { AppState } from '../state/model/app-state.ts';
import { selectConversation, selectListOrder, selectUnread } from '../state/select/selectors.ts';
import { placeNow, rememberPlace } from '../state/view/jumps.ts';
import { setScroll } from '../state/view/thread-place.ts';
import { patchView } from '../state/view/view.ts';
import type { CommandContext } from './context.ts';
import { bringBack } from './jumps.ts';
import { notify } from './notify.ts';
import { openInPassing } from './open-conversation.ts';

/**
 * Opens the nearest unread conversation in that direction, and goes on at the other end of the list; a muted one only
 * where no other is unread.
 */
export function openNextUnread(context: CommandContext, direction: -1 | 1): void {
  const state = context.get();
  const unread = othersUnread(state, direction);
  const id = unread.find((one) => selectConversation(state, one)?.isMuted !== true) ?? unread[0];
  if (id === undefined) {
    endTriage(context);
    return;
  }
  const triageFrom = state.view.triageFrom ?? placeNow(state) ?? 'nothing-open';
  openUnread(context, id);
  context.update((now) => patchView(now, { triageFrom }));
  const left = unread.length - 1;
  notify(context, `${left === 0 ? 'None' : left} left after this one`, { about: 'triage' });
}

/** The unread conversations of the list but for the open one, in the order in which they come from there. */
function othersUnread(state: AppState, direction: -1 | 1): readonly ConversationId[] {
  const order = selectListOrder(state);
  const current = state.view.openId === null ? -1 : indexIn(order, state.view.openId);
  const start = current === -1 && direction === -1 ? order.length : current;
  const found: ConversationId[] = [];
  // Ends the search of a long list as soon as all unread conversations have been met.
  let left = state.cache.unread.size;
  for (let step = 1; step <= order.length && left > 0; step++) {
    const id = order[(start + direction * step + order.length) % order.length];
    if (id === undefined || selectUnread(state, id) === 0) continue;
    left -= 1;
    if (id !== state.view.openId) found.push(id);
  }
  return found;
}

/** Opens a conversation at its new messages: where unread begins, and not where it was left, which may be far from there. */
export function openUnread(context: CommandContext, id: ConversationId): void {
  context.update(rememberPlace);
  context.update(setScroll(id, { at: 'bottom' }));
  openInPassing(context, id);
}

function endTriage(context: CommandContext): void {
  const { triageFrom = null } = context.get().view;
  const hasPlace = triageFrom !== null && triageFrom !== 'nothing-open';
  if (hasPlace) context.update(rememberPlace);
  if (triageFrom !== null) context.update((state) => patchView(state, { triageFrom: null }));
  const isBack = hasPlace && bringBack(context, { ...triageFrom, focus: 'composer' });
  notify(context, `Nothing else is unread in this list${isBack ? ': back to where you were' : ''}`, {
    about: 'triage',
  });
}
