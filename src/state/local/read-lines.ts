/** Read lines: up to which message the user has read each conversation, and what counts as unread after that. */
import type { ConversationId, Message, MessageId } from '../../protocol/types.ts';
import { knownMessages, setUnread } from '../cache/conversations.ts';
import { sameValue } from '../collections/equal.ts';
import { withEntry } from '../collections/sharded-map.ts';
import type { AppState, ReadLine } from '../model/app-state.ts';
import type { Transition } from '../store.ts';
import { isOwn } from './outbox.ts';
import { patchLocal } from './patch-local.ts';

export const lineAt = (message: Message): ReadLine => ({ messageId: message.id, at: message.createdAt ?? 0 });

/** The same object when the line is there already. */
export const setReadLine =
  (id: ConversationId, line: ReadLine): Transition =>
  (state) =>
    sameValue(state.local.readLines.get(id), line)
      ? state
      : patchLocal(state, { readLines: withEntry(state.local.readLines, id, line) });

/** Everything known of the conversation counts as read from here on. */
export const markRead =
  (id: ConversationId): Transition =>
  (state) => {
    const newest = state.cache.lastMessages.get(id) ?? state.cache.threads.get(id)?.messages.at(-1);
    const held = state.local.readLines.get(id);
    if (newest === undefined) return setUnread(id, 0)(state);
    // Never backwards: the line is the user's, and the newest message may have been deleted since.
    const isBehind = held !== undefined && held.at > (newest.createdAt ?? 0);
    return setUnread(id, 0)(isBehind ? state : setReadLine(id, lineAt(newest))(state));
  };

/** The newest incoming message counts as unread again, or everything from `messageId` on. */
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
    const count = messages.slice(at).filter((message) => !isOwn(message, state)).length;
    return setUnread(id, count)(setReadLine(id, line)(state));
  };

/** Incoming messages after the line; `messages` in order, oldest first. */
export function countUnread(messages: readonly Message[], line: ReadLine | undefined, state: AppState): number {
  return messagesAfter(messages, line).filter((message) => !isOwn(message, state)).length;
}

/** The messages after the line. One with the time of the line counts as read unless it stands after the line's own message. */
export function messagesAfter(messages: readonly Message[], line: ReadLine | undefined): readonly Message[] {
  if (line === undefined) return messages;
  const at = line.messageId === null ? -1 : messages.findLastIndex((message) => message.id === line.messageId);
  if (at >= 0) return messages.slice(at + 1);
  return messages.filter((message) => (message.createdAt ?? 0) > line.at);
}

/** The last message at or before the line: the "new" line stands after it; null when nothing after it is unread. */
export function newLineFor(
  messages: readonly Message[],
  line: ReadLine | undefined,
  state: AppState,
): MessageId | null {
  const after = messagesAfter(messages, line);
  if (countUnread(after, undefined, state) === 0) return null;
  return messages[messages.length - after.length - 1]?.id ?? null;
}

/**
 * Where reading stood when a conversation is met for the first time: the newest message that is the user's own or
 * that the server calls read, else the time it was last opened.
 */
export function firstReadLine(messages: readonly Message[], openedAt: number | null, state: AppState): ReadLine {
  const read = messages.findLast((message) => message.readAt !== null || isOwn(message, state));
  if (read !== undefined && (read.createdAt ?? 0) >= (openedAt ?? 0)) return lineAt(read);
  return { messageId: null, at: openedAt ?? 0 };
}
