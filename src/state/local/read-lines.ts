/** Read lines: up to which message the user has read each conversation, and when messages count as read. */
import type { ConversationId, Message } from '../../protocol/types.ts';
import { setUnread } from '../cache/conversations.ts';
import { setNewLine } from '../cache/threads.ts';
import { sameValue } from '../collections/equal.ts';
import { withEntry } from '../collections/sharded-map.ts';
import type { AppState, ReadLine } from '../model/app-state.ts';
import type { Transition } from '../store.ts';
import { isOwn } from './identity.ts';
import { patchLocal } from './records.ts';
import { countUnread, newLineFor } from './unread.ts';

export const readLineAt = (message: Message): ReadLine => ({ messageId: message.id, at: message.createdAt ?? 0 });

/** The same state when the line is there already. */
export const setReadLine =
  (id: ConversationId, line: ReadLine): Transition =>
  (state) =>
    sameValue(state.local.readLines.get(id), line)
      ? state
      : patchLocal(state, { readLines: withEntry(state.local.readLines, id, line) });

/** Moves the read line to after the newest known message. */
export const markRead =
  (id: ConversationId): Transition =>
  (state) => {
    const newest = state.cache.lastMessages.get(id) ?? state.cache.threads.get(id)?.messages.at(-1);
    const held = state.local.readLines.get(id);
    const seen = withoutUnseen(state, id);
    if (newest === undefined) return setUnread(id, 0)(seen);
    // The line never moves backwards, as the message that it was set after may have been deleted since.
    const isBehind = held !== undefined && held.at > (newest.createdAt ?? 0);
    return setUnread(id, 0)(isBehind ? seen : setReadLine(id, readLineAt(newest))(seen));
  };

/** Whether the thread is read at its end, where its newest message is on the screen. */
export const isAtEnd = ({ view, cache }: AppState, id: ConversationId): boolean =>
  (view.places.get(id)?.scroll.at ?? 'bottom') === 'bottom' && cache.threads.get(id)?.newer === 'end';

/** To be applied when the end of the open conversation is on the screen. A peek marks nothing as read. */
export const markReadToEnd =
  (id: ConversationId): Transition =>
  (state) => {
    const { view, cache } = state;
    const isReading = view.openId === id && view.isPeeking !== true;
    return isReading && cache.unread.has(id) ? markRead(id)(state) : state;
  };

/** To be applied when messages have arrived in a thread that the user sees: they are read if its end is on the screen. */
export const markReadAtOnce =
  (id: ConversationId): Transition =>
  (state) =>
    isAtEnd(state, id) ? markReadToEnd(id)(state) : state;

/**
 * To be applied when the open thread has new messages of others that nobody can see. They are after the "new" line, and count
 * as read as soon as the end of the thread is seen.
 */
export const noteArrivedUnseen =
  (id: ConversationId): Transition =>
  (state) => {
    const { view, cache, local } = state;
    const messages = cache.threads.get(id)?.messages;
    if (messages === undefined || view.openId !== id || view.isPeeking === true) return state;
    if (!isAtEnd(state, id) || !cache.unread.has(id)) return state;
    const lined = setNewLine(id, newLineFor(messages, local.readLines.get(id), state))(state);
    return { ...lined, view: { ...view, arrivedUnseen: id } };
  };

/**
 * To be applied when messages have arrived in the open thread while its end is not on the screen, and all before them are
 * read: they are after the "new" line. Where the window ends before them, the line is after the last read message.
 */
export const noteArrivedBelow =
  (id: ConversationId): Transition =>
  (state) => {
    const thread = state.cache.threads.get(id);
    if (thread === undefined || isAtEnd(state, id) || !state.cache.unread.has(id)) return state;
    const line = state.local.readLines.get(id);
    const after = thread.newer === 'end' ? newLineFor(thread.messages, line, state) : (line?.messageId ?? null);
    return setNewLine(id, after)(state);
  };

const withoutUnseen = (state: AppState, id: ConversationId): AppState =>
  state.view.arrivedUnseen === id ? { ...state, view: { ...state.view, arrivedUnseen: null } } : state;

/** Places the "new" line in a thread of which it was not known where unread begins, or where that was not loaded. */
export const placeNewLine =
  (id: ConversationId): Transition =>
  (state) => {
    const thread = state.cache.threads.get(id);
    if (thread === undefined || thread.newLineAfter !== null) return state;
    return setNewLine(id, newLineFor(thread.messages, state.local.readLines.get(id), state))(state);
  };

/**
 * Moves the read line before the newest incoming message.
 *
 * @param newest the newest messages, oldest first; default: those in memory, where the user's own may be all there are
 */
export const markUnread =
  (id: ConversationId, newest?: readonly Message[]): Transition =>
  (state) => {
    const messages = newest ?? newestMessages(state, id);
    const at = messages.findLastIndex((message) => !isOwn(message, state));
    const first = messages[at];
    if (first === undefined) return state;
    const before = messages[at - 1];
    const line = before === undefined ? { messageId: null, at: (first.createdAt ?? 1) - 1 } : readLineAt(before);
    const count = countUnread(messages.slice(at), undefined, state);
    return setUnread(id, count)(setReadLine(id, line)(withoutUnseen(state, id)));
  };

/** The newest known messages without a hole. A window that was scrolled far back ends before them. */
function newestMessages({ cache }: AppState, id: ConversationId): readonly Message[] {
  const thread = cache.threads.get(id);
  if (thread?.newer === 'end') return thread.messages;
  const last = cache.lastMessages.get(id);
  return last === undefined ? [] : [last];
}

/**
 * The read line of a conversation that is met for the first time: the newest message that is the user's own or that the
 * server calls read, else the time it was last opened.
 */
export function firstReadLine(messages: readonly Message[], openedAt: number | null, state: AppState): ReadLine {
  const read = newestRead(messages, state);
  if (read !== undefined && (read.createdAt ?? 0) >= (openedAt ?? 0)) return readLineAt(read);
  return { messageId: null, at: openedAt ?? 0 };
}

/** The line after a page of older messages, of which one may show for the first time up to where the user has read. */
export function lineAfterOlderPage(line: ReadLine, page: readonly Message[], state: AppState): ReadLine {
  const read = line.messageId === null ? newestRead(page, state) : undefined;
  return read !== undefined && (read.createdAt ?? 0) > line.at ? readLineAt(read) : line;
}

const newestRead = (messages: readonly Message[], state: AppState): Message | undefined =>
  messages.findLast((message) => message.readAt !== null || isOwn(message, state));
