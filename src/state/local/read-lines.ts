/** Read lines: up to which message the user has read each conversation, and when messages count as read. */
import type { ConversationId, Message, MessageId } from '../../protocol/types.ts';
import { knownMessages, setUnread } from '../cache/conversations.ts';
import { setNewLine } from '../cache/threads.ts';
import { sameValue } from '../collections/equal.ts';
import { withEntry } from '../collections/sharded-map.ts';
import type { AppState, ReadLine } from '../model/app-state.ts';
import type { Transition } from '../store.ts';
import { isOwn } from './identity.ts';
import { patchLocal } from './records.ts';
import { countUnread, newLineFor } from './unread.ts';

export const lineAt = (message: Message): ReadLine => ({ messageId: message.id, at: message.createdAt ?? 0 });

/** The same state when the line is there already. */
export const setReadLine =
  (id: ConversationId, line: ReadLine): Transition =>
  (state) =>
    sameValue(state.local.readLines.get(id), line)
      ? state
      : patchLocal(state, { readLines: withEntry(state.local.readLines, id, line) });

/** Moves the read line behind the newest known message. */
export const markRead =
  (id: ConversationId): Transition =>
  (state) => {
    const newest = state.cache.lastMessages.get(id) ?? state.cache.threads.get(id)?.messages.at(-1);
    const held = state.local.readLines.get(id);
    if (newest === undefined) return setUnread(id, 0)(state);
    // The line never moves backwards, as the message that it was set after may have been deleted since.
    const isBehind = held !== undefined && held.at > (newest.createdAt ?? 0);
    return setUnread(id, 0)(isBehind ? state : setReadLine(id, lineAt(newest))(state));
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

/** Marks the conversation as read if the terminal has the focus and the newest message is on the screen. */
export const markReadAtOnce =
  (id: ConversationId, isFocused: boolean): Transition =>
  (state) =>
    isFocused && isAtEnd(state, id) ? markReadToEnd(id)(state) : state;

/** Places the "new" line in a thread of which it was not known where unread begins, or where that was not loaded. */
export const placeNewLine =
  (id: ConversationId): Transition =>
  (state) => {
    const thread = state.cache.threads.get(id);
    if (thread === undefined || thread.newLineAfter !== null) return state;
    return setNewLine(id, newLineFor(thread.messages, state.local.readLines.get(id), state))(state);
  };

/** Moves the read line before the newest incoming message, or before `messageId`. */
export const markUnread =
  (id: ConversationId, messageId?: MessageId): Transition =>
  (state) => {
    const messages = knownMessages(state, id);
    const at =
      messageId === undefined
        ? messages.findLastIndex((message) => !isOwn(message, state))
        : messages.findIndex((message) => message.id === messageId);
    const first = messages[at];
    if (first === undefined) return state;
    const before = messages[at - 1];
    const line = before === undefined ? { messageId: null, at: (first.createdAt ?? 1) - 1 } : lineAt(before);
    const count = countUnread(messages.slice(at), undefined, state);
    return setUnread(id, count)(setReadLine(id, line)(state));
  };

/**
 * The read line of a conversation that is met for the first time: the newest message that is the user's own or that the
 * server calls read, else the time it was last opened.
 */
export function firstReadLine(messages: readonly Message[], openedAt: number | null, state: AppState): ReadLine {
  const read = messages.findLast((message) => message.readAt !== null || isOwn(message, state));
  if (read !== undefined && (read.createdAt ?? 0) >= (openedAt ?? 0)) return lineAt(read);
  return { messageId: null, at: openedAt ?? 0 };
}
