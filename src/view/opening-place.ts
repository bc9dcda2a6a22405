/** Decides where a conversation is shown that was opened: at its end, or where unread begins when that is out of sight there. */
import type { ConversationId } from '../protocol/types.ts';
import { firstUnread } from '../state/local/unread.ts';
import type { AppState, ScrollPlace } from '../state/model/app-state.ts';
import { selectUnread } from '../state/select/selectors.ts';
import { type Blocks, placeFrom, type ShownThread, scrollBy } from './thread-scroll.ts';

/**
 * A thread that was left at its end begins where unread begins, when its unread messages do not all fit on the screen. One
 * that was left elsewhere stays there, unless that message is gone; it counts as being at its end when that is in sight.
 */
export function openingPlace({ blocks, place, height, sticks }: ShownThread, state: AppState): ScrollPlace {
  const { openId } = state.view;
  if (openId === null || selectUnread(state, openId) === 0) return place;
  const isHeld = place.at === 'message' && blocks.items.some(({ id }) => id === place.messageId);
  if (isHeld) return scrollBy(blocks, place, height, 0, sticks);
  const first = firstNew(blocks, state, openId);
  return first < 0 ? { at: 'bottom' } : placeFrom(blocks, first, height, sticks);
}

/** The index of the first item behind the "new" line; where all that is loaded is unread, there is no line. */
function firstNew({ items }: Blocks, state: AppState, openId: ConversationId): number {
  const thread = state.cache.threads.get(openId);
  const line = state.local.readLines.get(openId);
  if (thread === undefined || line === undefined) return -1;
  const before = items.findIndex(({ id }) => id === thread.newLineAfter);
  if (before >= 0) return before + 1;
  const first = firstUnread(thread.messages, line, state);
  return items.findIndex(({ id }) => id === first?.id);
}
