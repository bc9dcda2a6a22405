/** Decides whether the user is notified of messages in a conversation now. */
import type { ConversationId, Message, Millis } from '../protocol/types.ts';
import { isMutedOrArchived } from '../state/local/muting.ts';
import type { AppState } from '../state/model/app-state.ts';
import type { QuietHours } from '../state/model/settings.ts';
import { selectConversation, selectUnread } from '../state/select/selectors.ts';
import { fold } from '../text/search/find.ts';

export interface Moment {
  /** Whether a message contains one of the user's keywords. */
  readonly hasKeyword?: boolean;
  /** Whether the terminal has the focus, as far as that is known. */
  readonly isAttended: boolean;
  readonly now: Millis;
}

export function mayNotify(
  state: AppState,
  id: ConversationId,
  { isAttended, now, hasKeyword = false }: Moment,
): boolean {
  const { method, whileFocused } = state.settings.notify;
  if (method === 'none' || silencedBy(state, id, { now, hasKeyword }) !== null) return false;
  const isOpen = state.view.openId === id;
  if (isAttended && (isOpen || !whileFocused)) return false;
  // The open conversation counts as read at once where the terminal does not report that it has lost the focus.
  return isOpen || selectUnread(state, id) > 0;
}

/**
 * Why messages of the conversation cause no notification, whether or not somebody looks at the screen; null when they do.
 * `gone`: the conversation is not there any more.
 */
export function silencedBy(
  state: AppState,
  id: ConversationId,
  { now, hasKeyword = false }: Pick<Moment, 'now' | 'hasKeyword'>,
): 'gone' | 'muted' | 'archived' | 'quiet hours' | null {
  const conversation = selectConversation(state, id);
  if (conversation === null) return 'gone';
  if (isMutedOrArchived(conversation) && !hasKeyword) return conversation.isMuted ? 'muted' : 'archived';
  const { quietHours } = state.settings.notify;
  return quietHours !== null && isQuietTime(quietHours, now) ? 'quiet hours' : null;
}

/** Messages from this time before the start on count as new, as the clocks of server and program may differ unnoticed. */
const toleranceMs = 120_000;

/** @param startedAt when this program was started, by the clock of the server as far as that is known */
export const isNews = ({ createdAt }: Pick<Message, 'createdAt'>, startedAt: Millis): boolean =>
  createdAt === null || createdAt >= startedAt - toleranceMs;

/** The UTF-16 units of a text that are searched; a person seldom writes a longer one. */
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

/** Whether the local time is within the quiet hours, without their end. */
export function isQuietTime({ from, to }: QuietHours, now: Millis): boolean {
  const date = new Date(now);
  const minute = date.getHours() * 60 + date.getMinutes();
  return from < to ? from <= minute && minute < to : minute >= from || minute < to;
}
