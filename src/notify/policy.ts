/** Decides whether the user is notified of messages in a conversation now. */
import type { ConversationId, Millis } from '../protocol/types.ts';
import { isQuiet } from '../state/local/quiet.ts';
import type { AppState } from '../state/model/app-state.ts';
import type { QuietHours } from '../state/model/settings.ts';
import { selectConversation, selectUnread } from '../state/select/selectors.ts';
import { fold } from '../text/search/find.ts';

export interface Moment {
  /** A message contains one of the user's keywords. */
  readonly hasKeyword?: boolean;
  /** The terminal has the focus, as far as that is known. */
  readonly isAttended: boolean;
  readonly now: Millis;
}

export function mayNotify(
  state: AppState,
  id: ConversationId,
  { isAttended, now, hasKeyword = false }: Moment,
): boolean {
  const { method, whileFocused, quietHours } = state.settings.notify;
  const conversation = selectConversation(state, id);
  if (method === 'none' || conversation === null || (isQuiet(conversation) && !hasKeyword)) return false;
  const isOpen = state.view.openId === id;
  if (isAttended && (isOpen || !whileFocused)) return false;
  // The open conversation counts as read at once where the terminal does not report that it has lost the focus.
  if (!isOpen && selectUnread(state, id) === 0) return false;
  return quietHours === null || !isWithin(quietHours, now);
}

/** A text is searched as far as this; a longer one is seldom written by a person. */
const searchedUnits = 10_000;

/** Whether one of the texts contains a keyword of the user, in any case and with any accents. */
export function holdsKeyword(state: AppState, texts: readonly string[]): boolean {
  const { keywords } = state.settings.notify;
  if (keywords.length === 0) return false;
  const folded = keywords.map(fold);
  return texts.some((text) => {
    const within = fold(text.slice(0, searchedUnits));
    return folded.some((keyword) => within.includes(keyword));
  });
}

/** By the clock on the wall; the end does not belong to the time any more. */
export function isWithin({ from, to }: QuietHours, now: Millis): boolean {
  const date = new Date(now);
  const minute = date.getHours() * 60 + date.getMinutes();
  return from < to ? from <= minute && minute < to : minute >= from || minute < to;
}
