/** Opens a conversation: its window from the disk, its read line, and a retrieval from the server if the user allows. */
import type { ConversationId, Message, MessageId } from '../../../protocol/types.ts';
import { applyConversation } from '../../../state/cache/conversations.ts';
import { closeThread, openThread, setEdited, setNewLine } from '../../../state/cache/threads.ts';
import { markRead } from '../../../state/local/read-lines.ts';
import { newLineFor } from '../../../state/local/unread.ts';
import { until } from '../../../state/store.ts';
import { setFailure, setLoading } from '../../../state/view/connection.ts';
import { setScroll } from '../../../state/view/thread-place.ts';
import { knownNewest } from '../../merge/merge-page.ts';
import { resetReplaced } from '../../quirks/recipient-guard.ts';
import { afterPaintMs, nextTurn, pause } from '../../services/clock.ts';
import { apiError, request, requestOptions } from '../../services/request.ts';
import { type Services, stateOf, update } from '../../services/services.ts';
import { readAround, readOlder } from './backfill.ts';

const firstWindow = 200;
const enoughMessages = 30;
/** How many windows stay in memory, so that going back and forth costs nothing. */
const windowsKept = 6;

export function enterConversation(
  context: Services,
  id: ConversationId,
  isPeek: boolean,
  track: (task: Promise<void>) => void,
): void {
  const held = stateOf(context).cache.threads.get(id);
  let isKnown = held !== undefined;
  if (held === undefined) {
    const page = context.cache.history(id, 'newest', firstWindow, stateOf(context).cache.lastMessages.get(id));
    isKnown = page.messages.length > 0;
    const reach = context.cache.reach(id);
    const edited = context.cache.editedMessages(id);
    const newest = page.hasMore ? newestOf(context, id, page.messages) : page.messages;
    update(context, (state) => {
      const line = newLineFor(newest, state.local.readLines.get(id), state);
      const opened = openThread(id, page, reach, line)(state);
      return setLoading(id, !isKnown)(setEdited(id, edited)(opened));
    });
    showPlace(context, id);
  } else update(context, setNewLine(id, newLine(context, id)));
  update(context, (state) => setFailure(id, null)(isPeek ? state : markRead(id)(state)));
  dropFarthest(context, id);
  if (held === undefined) track(fillWindow(context, id));
  if (!stateOf(context).settings.revealReading || isPeek) return;
  track(isKnown ? retrieve(context, id) : retrieveBehindFirstPage(context, id));
}

/** Moves the window to where the thread was left, when that is further back than its first page. */
function showPlace(context: Services, id: ConversationId): void {
  const scroll = stateOf(context).view.places.get(id)?.scroll;
  if (scroll?.at !== 'message') return;
  const message = context.cache.message(id, scroll.messageId);
  if (message === null || !readAround(context, id, message)) update(context, setScroll(id, { at: 'bottom' }));
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

/** Waits for the first page, which says how far was read: a retrieval marks messages as read on some servers. */
async function retrieveBehindFirstPage(context: Services, id: ConversationId): Promise<void> {
  const { signal, store } = context;
  await until(store, ({ view }) => view.openId !== id || !view.connection.loading.has(id), signal);
  const { view, cache } = stateOf(context);
  const isSeen = (cache.threads.get(id)?.messages.length ?? 0) > 0;
  if (isSeen && view.openId === id && view.isPeeking !== true && !signal.aborted) await retrieve(context, id);
}

/** Long texts may keep the window short, so that unread messages begin before it; only then the disk is asked. */
function newestOf(context: Services, id: ConversationId, window: readonly Message[]): readonly Message[] {
  if (window.length >= firstWindow) return window;
  const line = stateOf(context).local.readLines.get(id);
  const hasRead = ({ id, createdAt }: Message): boolean =>
    line !== undefined && (id === line.messageId || (createdAt !== null && createdAt < line.at));
  return window.some(hasRead) ? window : knownNewest(context, id).messages;
}

function newLine(context: Services, id: ConversationId): MessageId | null {
  const state = stateOf(context);
  const thread = state.cache.threads.get(id);
  const messages = thread?.newer === 'end' ? newestOf(context, id, thread.messages) : (thread?.messages ?? []);
  return newLineFor(messages, state.local.readLines.get(id), state);
}

function dropFarthest(context: Services, id: ConversationId): void {
  const { threads } = stateOf(context).cache;
  const others = [...threads.keys()].filter((other) => other !== id && other !== stateOf(context).view.openId);
  const surplus = others.slice(0, Math.max(0, threads.size - windowsKept));
  update(context, (state) => surplus.reduce((next, other) => closeThread(other)(next), state));
}

/** Some servers note that the conversation was opened. A failure is not shown: the thread's own page shows it. */
async function retrieve(context: Services, id: ConversationId): Promise<void> {
  // The frame that shows the conversation is drawn first.
  await pause(context, afterPaintMs);
  if (context.signal.aborted) return;
  const opensAt = context.gate.nextAllowedAt('poll');
  if (opensAt === null || opensAt > context.clock.monotonic()) return;
  try {
    await retrieveOpened(context, id);
  } catch (error) {
    apiError(error);
  }
}

/** Retrieves the conversation, which some servers note as opening it. Rejects with ApiError. */
export async function retrieveOpened(context: Services, id: ConversationId): Promise<void> {
  const mark = context.writes.mark();
  const before = stateOf(context).cache.conversations.get(id);
  const answer = await request(context, () => context.client().retrieveConversation(id, requestOptions(context)));
  if (context.writes.overlapsSince(mark, `conversation ${id}`)) return;
  // A list that came meanwhile may be newer (R-POLL), and one that says nothing new would not put this right.
  if (before === undefined || stateOf(context).cache.conversations.get(id) !== before) return;
  resetReplaced(context, answer.value);
  context.cache.saveConversations([answer.value]);
  update(context, applyConversation(answer.value));
}
