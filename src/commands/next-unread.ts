/** Triage: opens the next or previous unread conversation, and at the end the one where it began. */
import type { ConversationId } from '../protocol/types.ts';
import { indexIn } from '../state/collections/index-hint.ts';
import { mayBeUnread } from '../state/local/unread.ts';
import type { AppState } from '../state/model/app-state.ts';
import { noticeNames } from '../state/model/screen-state.ts';
import { selectConversation, selectListOrder, selectUnread } from '../state/select/selectors.ts';
import { placeNow, rememberPlace } from '../state/view/jumps.ts';
import { setScroll } from '../state/view/thread-place.ts';
import { patchView } from '../state/view/view.ts';
import type { CommandContext } from './context.ts';
import { bringBack } from './jumps.ts';
import { notify } from './notify.ts';
import { openInPassing } from './open-conversation.ts';

/**
 * Opens the nearest unread conversation in that direction that this walk has not opened yet, and goes on at the other end of
 * the list; a muted one only where no other is left. The other direction leads back to those that were opened.
 */
export function openNextUnread(context: CommandContext, direction: -1 | 1): void {
  const state = context.get();
  const { triage } = state.view;
  const opened = triage?.direction === direction ? triage.opened : [];
  const unread = othersUnread(state, direction).filter((one) => !opened.includes(one));
  const id = unread.find((one) => selectConversation(state, one)?.isMuted !== true) ?? unread[0];
  if (id === undefined) {
    endTriage(context);
    return;
  }
  const from = triage?.from ?? placeNow(state) ?? 'nothing-open';
  openUnread(context, id);
  context.update((now) => patchView(now, { triage: { from, direction, opened: [...opened, id] } }));
  notify(context, leftText(state, unread.length - 1), { about: noticeNames.triage });
}

/** At a first start most messages are still to come, and more conversations may turn out to be unread. */
function leftText(state: AppState, left: number): string {
  const known = `${left === 0 ? 'None' : left} left after this one`;
  if (!mayBeMore(state)) return known;
  return left === 0 ? 'No other is known to be unread yet' : `At least ${known}`;
}

function mayBeMore(state: AppState): boolean {
  const { conversations, lastMessages, foundEmpty } = state.cache;
  if (state.view.connection.listRest !== 'none') return true;
  // Where something is known of all of them, a long list need not be looked through.
  if (conversations.size <= lastMessages.size + foundEmpty.size) return false;
  return selectListOrder(state).some((id) => mayBeUnread(state, id));
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
  const { triage = null } = context.get().view;
  const said = endText(context.get());
  const from = triage === null || triage.from === 'nothing-open' ? null : triage.from;
  if (from !== null) context.update(rememberPlace);
  if (triage !== null) context.update((state) => patchView(state, { triage: null }));
  const isBack = from !== null && bringBack(context, { ...from, focus: 'composer' });
  notify(context, `${said}${isBack ? ': back to where you were' : ''}`, { about: noticeNames.triage });
}

/** Says what is left in the list: opened in this walk and not read to the end, or not known at all. */
function endText(state: AppState): string {
  const order = selectListOrder(state);
  const { opened = [] } = state.view.triage ?? {};
  const left = opened.filter((id) => selectUnread(state, id) > 0 && indexIn(order, id) >= 0).length;
  if (left > 0) return `${left === 1 ? 'One conversation is' : `${left} conversations are`} not read to the end yet`;
  const unknown = order.filter((id) => mayBeUnread(state, id)).length;
  if (unknown === 0) return 'Nothing else is unread in this list';
  const of = unknown === 1 ? 'one conversation' : `${unknown} conversations`;
  return `Nothing else in this list is known to be unread; the messages of ${of} are not here yet`;
}
