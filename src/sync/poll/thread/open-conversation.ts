/**
 * Opens a conversation: its window from the disk, its read line, and a retrieval from the server if the user allows. Counts
 * it as read when its end comes into sight later.
 */
import type { ConversationId } from '../../../protocol/types.ts';
import { closeThread, openThread, setEdited, setNewLine } from '../../../state/cache/threads.ts';
import { isAtEnd, markRead, markReadToEnd, noteArrivedUnseen } from '../../../state/local/read-lines.ts';
import { isUnreadIncomplete } from '../../../state/local/unread.ts';
import type { AppState } from '../../../state/model/app-state.ts';
import { selectIsThreadShown, selectIsTooSmall } from '../../../state/select/pane-columns.ts';
import { selectUnread } from '../../../state/select/selectors.ts';
import { until } from '../../../state/store.ts';
import { setFailure, setLoading } from '../../../state/view/connection.ts';
import { patchView } from '../../../state/view/view.ts';
import { takeConversation } from '../../merge/take-conversation.ts';
import { resetReplaced } from '../../quirks/recipient-guard.ts';
import { isUnreachable } from '../../services/circuit-breaker.ts';
import { afterPaintMs, nextTurn, pause } from '../../services/clock.ts';
import { apiError, mayLeaveNow, request, requestOptions } from '../../services/request.ts';
import { type Services, stateOf, update } from '../../services/services.ts';
import { readOlder } from './backfill.ts';
import { firstWindow, goToUnread, newLine, showPlace, showUnread } from './opening-window.ts';
import { loadPinned } from './pinned-message.ts';

const enoughMessages = 30;
/** How many windows stay in memory, so that going back and forth costs nothing. */
const windowsKept = 6;

interface Opening {
  /** Nothing is marked as read, neither here nor on the server. */
  readonly isPeek: boolean;
  /** The conversation is on the screen already, and what is seen of it stays. */
  readonly isOpen: boolean;
  /** A message is shown next, for which the thread is scrolled: whether its end is in sight is not known before that. */
  readonly isJump?: boolean;
}

/** How the caller opens it; by default it is no peek and no jump. */
export type OpeningOptions = Partial<Pick<Opening, 'isPeek' | 'isJump'>>;

export function enterConversation(
  context: Services,
  id: ConversationId,
  { isPeek, isOpen, isJump = false }: Opening,
  track: (task: Promise<void>) => void,
): void {
  const held = stateOf(context).cache.threads.get(id);
  const isKnown = held !== undefined || loadWindow(context, id);
  showPlace(context, id);
  if (!isOpen) showUnread(context, id);
  const line = newLine(context, id);
  update(context, (state) => {
    const lined = setFailure(id, null)(setNewLine(id, line)(state));
    const placed = isOpen ? lined : goToUnread(context, id)(lined);
    // On a screen that is too small nothing is drawn.
    if (selectIsTooSmall(placed)) return noteArrivedUnseen(id)(placed);
    return isPeek || isJump || !isSeenWhole(placed, id) ? placed : markRead(id)(placed);
  });
  loadPinned(context, id);
  dropLeastRecent(context, id);
  if (held === undefined) track(fillWindow(context, id));
  if (!stateOf(context).settings.revealReading || isPeek) return;
  if (!isKnown) track(reportOpenedAfterFirstPage(context, id));
  else if (!isLeftUnread(stateOf(context), id)) track(reportOpened(context, id));
}

/** Whether the end of the thread is on the screen, and all of its unread messages are loaded. */
const isSeenWhole = (state: AppState, id: ConversationId): boolean =>
  isAtEnd(state, id) && !isUnreadIncomplete(state, id);

/**
 * Marks the open conversation as read, and reports that to the server. To be called when the end of the thread is on the
 * screen, where it was not at the opening.
 */
export function markReadAndReport(context: Services, id: ConversationId, track: (task: Promise<void>) => void): void {
  const before = stateOf(context);
  update(context, markReadToEnd(id));
  if (stateOf(context) !== before && before.settings.revealReading) track(reportOpened(context, id));
}

/**
 * To be called when the terminal has got the focus, or shows the thread again: what arrived at its end meanwhile is in sight
 * now, unless it does not fit on the screen, which may have another size by now.
 */
export function markArrivalsRead(context: Services, track: (task: Promise<void>) => void): void {
  const state = stateOf(context);
  const id = state.view.arrivedUnseen ?? null;
  if (id === null || id !== state.view.openId || !isAtEnd(state, id) || !selectIsThreadShown(state)) return;
  update(context, goToUnread(context, id));
  if (isAtEnd(stateOf(context), id)) markReadAndReport(context, id, track);
}

/** Something of the thread was not seen: a retrieval would tell the server that it was read. */
const isLeftUnread = (state: AppState, id: ConversationId): boolean => selectUnread(state, id) > 0;

/** Opens a window on the newest cached messages. False when there are none. */
function loadWindow(context: Services, id: ConversationId): boolean {
  const page = context.cache.history(id, 'newest', firstWindow, stateOf(context).cache.lastMessages.get(id));
  const isKnown = page.messages.length > 0;
  const reach = context.cache.reach(id);
  const edited = context.cache.editedMessages(id);
  update(context, (state) => {
    const opened = openThread(id, page, reach)(state);
    return setLoading(id, !isKnown)(setEdited(id, edited)(opened));
  });
  return isKnown;
}

/** Where long texts kept the first page short, older messages follow, one turn of the event loop each. */
async function fillWindow(context: Services, id: ConversationId): Promise<void> {
  for (let pages = 0; pages < enoughMessages; pages++) {
    const { cache, view } = stateOf(context);
    const thread = cache.threads.get(id);
    if (view.openId !== id || thread?.older !== 'disk' || thread.messages.length >= enoughMessages) return;
    // A terminal takes a frame in several pieces: the first read waits until all of them are out.
    await (pages === 0 ? pause(context, afterPaintMs) : nextTurn(context));
    if (context.signal.aborted || !readOlder(context, id)) return;
  }
}

/** As `reportOpened`, once the first page has said how far was read: a retrieval marks messages as read on some servers. */
async function reportOpenedAfterFirstPage(context: Services, id: ConversationId): Promise<void> {
  const { signal, store } = context;
  await until(store, ({ view }) => view.openId !== id || !view.connection.loading.has(id), signal);
  const { view, cache } = stateOf(context);
  const isSeen = (cache.threads.get(id)?.messages.length ?? 0) > 0 && !isLeftUnread(stateOf(context), id);
  if (isSeen && view.openId === id && view.isPeeking !== true && !signal.aborted) await reportOpened(context, id);
}

/** Closes the windows beyond `windowsKept`, beginning with those that were left longest ago. */
function dropLeastRecent(context: Services, id: ConversationId): void {
  const { cache, view } = stateOf(context);
  const { threads } = cache;
  if (threads.size <= windowsKept) return;
  const placeOf = new Map((view.visited ?? []).map((visited, index) => [visited, index]));
  const age = (other: ConversationId): number => placeOf.get(other) ?? Number.MAX_SAFE_INTEGER;
  const others = [...threads.keys()].filter((other) => other !== id && other !== view.openId);
  const surplus = others.sort((a, b) => age(b) - age(a)).slice(0, threads.size - windowsKept);
  update(context, (state) => surplus.reduce((next, other) => closeThread(other)(next), state));
}

/**
 * Retrieves the conversation, which some servers note as opening it and as reading its messages. A failure is not shown: the
 * thread's own page shows it. If the server was not reached, the next poll that is answered reports it again.
 */
export async function reportOpened(context: Services, id: ConversationId): Promise<void> {
  // The frame that shows the conversation is drawn first.
  await pause(context, afterPaintMs);
  if (context.signal.aborted) return;
  const isReached = await tryToReport(context, id);
  const unreported = isReached ? null : id;
  update(context, (state) => {
    const isSame = (state.view.unreported ?? null) === unreported;
    return isSame || state.view.openId !== id ? state : patchView(state, { unreported });
  });
}

async function tryToReport(context: Services, id: ConversationId): Promise<boolean> {
  if (!mayLeaveNow(context, 'poll')) return false;
  try {
    await retrieveOpened(context, id);
    return true;
  } catch (error) {
    return !isUnreachable(apiError(error));
  }
}

/** As `reportOpened`. Rejects with ApiError. */
export async function retrieveOpened(context: Services, id: ConversationId): Promise<void> {
  const mark = context.writes.mark();
  const before = stateOf(context).cache.conversations.get(id);
  const answer = await request(context, () => context.client().retrieveConversation(id, requestOptions(context)));
  if (context.writes.overlapsSince(mark, `conversation ${id}`)) return;
  // A list that came meanwhile may be newer (R-POLL), and one that says nothing new would not put this right.
  if (before === undefined || stateOf(context).cache.conversations.get(id) !== before) return;
  const conversation = context.writes.conversations.overRead(answer.value);
  resetReplaced(context, conversation);
  update(context, takeConversation(context, conversation));
}
