/**
 * Finds where a conversation is read that was opened: its window, its "new" line and its scroll position. Asks the
 * server for unread messages that are missing here.
 */

import type { ConversationId, Message, MessageId } from '../../../protocol/types.ts';
import type { HistoryKey } from '../../../state/cache/cached-history.ts';
import { sameValue } from '../../../state/collections/equal.ts';
import { markReadAtOnce } from '../../../state/local/read-lines.ts';
import { isUnreadFurtherBack, isUnreadIncomplete, newLineFor } from '../../../state/local/unread.ts';
import type { ReadLine } from '../../../state/model/app-state.ts';
import { selectIsThreadShown } from '../../../state/select/pane-columns.ts';
import { selectPlace, selectUnread } from '../../../state/select/selectors.ts';
import type { Transition } from '../../../state/store.ts';
import { setScroll } from '../../../state/view/thread-place.ts';
import { knownNewest } from '../../merge/known-newest.ts';
import { mayLeaveNow } from '../../services/request.ts';
import { type Services, stateOf, update } from '../../services/services.ts';
import { fetchHistory, fillGap, readAround, readNewest } from './backfill.ts';

/** How many messages an opening reads from the disk. */
export const firstWindow = 200;

/** Moves the window to where the thread was left, when it does not hold that. */
export function showPlace(context: Services, id: ConversationId): void {
  const { scroll } = selectPlace(stateOf(context), id);
  if (scroll.at === 'bottom') {
    readNewest(context, id);
    return;
  }
  const { messageId } = scroll;
  const isHeld = stateOf(context)
    .cache.threads.get(id)
    ?.messages.some((message) => message.id === messageId);
  if (isHeld === true || messageId.startsWith('op:')) return;
  const message = context.cache.message(id, messageId);
  if (message === null || !readAround(context, id, message)) update(context, setScroll(id, { at: 'bottom' }));
}

/** Moves the window to where unread begins, when all of a thread at its end is unread and the disk has more. */
export function showUnread(context: Services, id: ConversationId): void {
  const state = stateOf(context);
  const line = state.local.readLines.get(id);
  const thread = state.cache.threads.get(id);
  if (line === undefined || thread?.older !== 'disk' || thread.messages.length < firstWindow) return;
  if (selectUnread(state, id) === 0 || selectPlace(state, id).scroll.at !== 'bottom') return;
  if (thread.messages.some(isReadAt(line))) return;
  const last = line.messageId === null ? null : context.cache.message(id, line.messageId);
  const from: HistoryKey = last ?? { createdAt: line.at + 1, rank: Number.MIN_SAFE_INTEGER, id: '' };
  const [first] = context.cache.history(id, { after: from }, 1).messages;
  if (first !== undefined) readAround(context, id, first);
}

const isReadAt =
  (line: ReadLine) =>
  ({ id, createdAt }: Message): boolean =>
    id === line.messageId || (createdAt !== null && createdAt < line.at);

/** The message after which the "new" line is shown. */
export function newLine(context: Services, id: ConversationId): MessageId | null {
  const state = stateOf(context);
  const line = state.local.readLines.get(id);
  const { messages = [], newer } = state.cache.threads.get(id) ?? {};
  return newLineFor(newer === 'end' ? newestOf(context, id, messages, line) : messages, line, state);
}

/** Long texts may keep the window short, so that unread messages begin before it; only then the disk is asked. */
function newestOf(
  context: Services,
  id: ConversationId,
  window: readonly Message[],
  line: ReadLine | undefined,
): readonly Message[] {
  if (window.length >= firstWindow || stateOf(context).cache.threads.get(id)?.older !== 'disk') return window;
  return line !== undefined && window.some(isReadAt(line)) ? window : knownNewest(context, id).messages;
}

/** Scrolls the open thread to where unread begins, when its unread messages do not all fit on the screen. */
export const goToUnread =
  ({ openingPlace }: Pick<Services, 'openingPlace'>, id: ConversationId): Transition =>
  (state) => {
    const scroll = state.view.openId === id ? (openingPlace?.(state) ?? null) : null;
    return scroll === null ? state : setScroll(id, scroll)(state);
  };

/** How many pages an opening asks the server for to find where unread begins. */
const unreadPages = 10;

/**
 * To be called when the newest page was read: fills the newest gap of the open thread. The first time since it was opened,
 * it also fetches the unread messages that are missing, and moves the thread to where unread begins. Returns true when all
 * of them are on the screen then, so that the conversation counts as read. Rejects with ApiError when a gap could not be read.
 */
export async function completeOpenThread(
  context: Services,
  id: ConversationId,
  { isFocused, isOpening }: { readonly isFocused: boolean; readonly isOpening: boolean },
): Promise<boolean> {
  if (stateOf(context).view.openId !== id) return false;
  if (!isOpening) {
    await fillGap(context, id);
    return false;
  }
  if (!(await completeUnread(context, id))) return false;
  const before = stateOf(context);
  // A gap that is left has been asked for, and the server has no way to what is missing.
  const isSeen = isFocused && selectIsThreadShown(before) && !isUnreadFurtherBack(before, id);
  if (isSeen) update(context, markReadAtOnce(id));
  return stateOf(context) !== before;
}

/**
 * Fills the newest gap, and asks the server for what is missing between the read line and the newest page. Returns false
 * when nothing unread is missing, or when the user has moved the thread.
 */
async function completeUnread(context: Services, id: ConversationId): Promise<boolean> {
  const opened = selectPlace(stateOf(context), id);
  const isHere = (): boolean =>
    !context.signal.aborted && stateOf(context).view.openId === id && selectPlace(stateOf(context), id) === opened;
  const isFurtherBack = (): boolean => isHere() && isUnreadFurtherBack(stateOf(context), id);
  const oldest = (): Message | undefined => stateOf(context).cache.threads.get(id)?.messages[0];
  const goesToUnread = isHere() && isUnreadIncomplete(stateOf(context), id) && isAtOpening(context, id);
  await fillGap(context, id);
  for (let page = 0; goesToUnread && page < unreadPages && isFurtherBack() && mayLeaveNow(context, 'poll'); page++) {
    const before = oldest();
    await fetchHistory(context, id);
    if (oldest() === before) break;
  }
  if (!goesToUnread || !isHere()) return false;
  update(context, placedAnew(context, id));
  return true;
}

/** Places a thread as one that was left at its end. */
const placedAnew =
  (context: Services, id: ConversationId): Transition =>
  (state) =>
    goToUnread(context, id)(setScroll(id, { at: 'bottom' })(state));

/** Whether the thread is where an opening puts it: not where it was left, and not at a message that was jumped to. */
function isAtOpening(context: Services, id: ConversationId): boolean {
  const state = stateOf(context);
  const { scroll, selectedId } = selectPlace(state, id);
  if (selectedId !== null) return false;
  return scroll.at === 'bottom' || sameValue(scroll, selectPlace(placedAnew(context, id)(state), id).scroll);
}
