/** Decides whether the user is to be told of messages in a conversation now. */
import type { ConversationId, Millis } from '../protocol/types.ts';
import type { AppState } from '../state/model/app-state.ts';
import type { QuietHours } from '../state/model/settings.ts';
import { selectConversation, selectUnread } from '../state/select/selectors.ts';
import { isQuiet } from '../state/select/unread-total.ts';

export interface Moment {
  /** The terminal has the focus, as far as that is known. */
  readonly isAttended: boolean;
  readonly now: Millis;
}

export function mayNotify(state: AppState, id: ConversationId, { isAttended, now }: Moment): boolean {
  const { method, whileFocused, quietHours } = state.settings.notify;
  const conversation = selectConversation(state, id);
  if (method === 'none' || conversation === null || isQuiet(conversation)) return false;
  const isOpen = state.view.openId === id;
  if (isAttended && (isOpen || !whileFocused)) return false;
  // The open conversation counts as read at once where the terminal does not tell that it has lost the focus.
  if (!isOpen && selectUnread(state, id) === 0) return false;
  return quietHours === null || !isWithin(quietHours, now);
}

/** By the clock on the wall; the end does not belong to the time any more. */
export function isWithin({ from, to }: QuietHours, now: Millis): boolean {
  const date = new Date(now);
  const minute = date.getHours() * 60 + date.getMinutes();
  return from < to ? from <= minute && minute < to : minute >= from || minute < to;
}
