/**
 * Counts the unread messages of a conversation from messages in memory. `storage/cache/unread.ts` counts by the
 * same line in SQL, up to a bound. Incoming messages are those that are not known to be the user's own. When one is read
 * at once is decided in `read-lines.ts`.
 */
import type { ConversationId, Message, MessageId } from '../../protocol/types.ts';
import { compareMessages } from '../cache/thread-order.ts';
import type { AppState, ReadLine } from '../model/app-state.ts';
import { isOwn } from './identity.ts';

/** Ids of messages that turned up before the read line and are unread all the same. */
export type Backdated = ReadonlySet<MessageId>;

const none: Backdated = new Set();

/**
 * Counts incoming messages after the read line, and incoming ones before it that are `backdated`.
 *
 * @param messages oldest first
 */
export function countUnread(
  messages: readonly Message[],
  line: ReadLine | undefined,
  state: AppState,
  backdated: Backdated = none,
): number {
  const after = messagesAfter(messages, line);
  const counted = after.filter((message) => !isOwn(message, state)).length;
  if (backdated.size === 0) return counted;
  const isAfter = new Set(after);
  return counted + messages.filter((message) => backdated.has(message.id) && !isAfter.has(message)).length;
}

/** The messages after the line. A message at the time of the line is read unless it comes after the line's message. */
export function messagesAfter(messages: readonly Message[], line: ReadLine | undefined): readonly Message[] {
  if (line === undefined) return messages;
  const at = line.messageId === null ? -1 : messages.findLastIndex((message) => message.id === line.messageId);
  if (at >= 0) return messages.slice(at + 1);
  return messages.filter((message) => (message.createdAt ?? 0) > line.at);
}

/**
 * The same for one message, where the others are not at hand.
 * @param read the line's message; null where it is not kept
 */
export const isAfterLine = (message: Message, line: ReadLine | undefined, read: Message | null): boolean =>
  line === undefined || (read === null ? (message.createdAt ?? 0) > line.at : compareMessages(message, read) > 0);

/** The first incoming message after the line. The user's own messages may stand between the line and it. */
export const firstUnread = (
  messages: readonly Message[],
  line: ReadLine | undefined,
  state: AppState,
): Message | undefined => messagesAfter(messages, line).find((message) => !isOwn(message, state));

/** The message before the first unread one, after which the "new" line is shown; null when there is none. */
export function newLineFor(
  messages: readonly Message[],
  line: ReadLine | undefined,
  state: AppState,
): MessageId | null {
  const first = firstUnread(messages, line, state);
  return first === undefined ? null : (messages[messages.indexOf(first) - 1]?.id ?? null);
}

/** The newest messages of a conversation after a page of the server was merged into them. */
export interface MergedMessages {
  /** Oldest first. */
  readonly messages: readonly Message[];
  /** Those that were not known before the page. */
  readonly fresh: readonly Message[];
  /** No older message is known. */
  readonly isAll: boolean;
  readonly backdated: Backdated;
}

/** The unread count after a newest page. Where the messages do not reach back to the read line, it only grows. */
export function unreadAfterPage(
  state: AppState,
  id: ConversationId,
  { messages, fresh, isAll, backdated }: MergedMessages,
): number {
  const line = state.local.readLines.get(id);
  const counted = countUnread(messages, line, state, backdated);
  const oldest = messages[0];
  if (isAll || (line !== undefined && oldest !== undefined && (oldest.createdAt ?? 0) <= line.at)) return counted;
  const late = counted - countUnread(messages, line, state);
  return Math.max(counted, (state.cache.unread.get(id) ?? 0) + countUnread(fresh, line, state) + late);
}

/** The unread count after a page of older messages, of which some may be unread where the read line was not reached before it. */
export function unreadAfterOlderPage(state: AppState, id: ConversationId, fresh: readonly Message[]): number {
  const line = state.local.readLines.get(id);
  const held = state.cache.unread.get(id) ?? 0;
  return line === undefined ? held : held + countUnread(fresh, line, state);
}

/** No message of the conversation is known, and it was not found empty. */
export const isUnknown = ({ cache }: AppState, id: ConversationId): boolean =>
  cache.conversations.has(id) && !cache.lastMessages.has(id) && !cache.foundEmpty.has(id);

/** Whether no message of the conversation is known, and by what the list says of it something was written since it was opened. */
export function mayBeUnread(state: AppState, id: ConversationId): boolean {
  const conversation = state.cache.conversations.get(id);
  if (conversation === undefined || !isUnknown(state, id)) return false;
  const { lastActiveAt, lastOpenedAt } = conversation;
  return lastActiveAt !== null && lastActiveAt > (lastOpenedAt ?? 0);
}

/** Whether unread messages of an open conversation may be missing between the read line and the newest message. */
export const isUnreadIncomplete = (state: AppState, id: ConversationId): boolean =>
  isUnreadFurtherBack(state, id) ||
  unreadMessages(state, id).some(({ id: messageId }) => state.cache.threads.get(id)?.gaps.includes(messageId) === true);

/** Whether unread messages may be on the server, before all that is loaded of an open conversation. */
export function isUnreadFurtherBack(state: AppState, id: ConversationId): boolean {
  const thread = state.cache.threads.get(id);
  const isOnServer = thread?.older === 'server' || thread?.older === 'unknown';
  return isOnServer && thread.messages[0] !== undefined && unreadMessages(state, id)[0] === thread.messages[0];
}

/**
 * The loaded messages after the read line where some are unread. Where nothing says up to where the user has read, none
 * are looked for.
 */
function unreadMessages({ cache, local }: AppState, id: ConversationId): readonly Message[] {
  const line = local.readLines.get(id);
  if (line === undefined || !cache.unread.has(id) || !hasPlace(line)) return [];
  return messagesAfter(cache.threads.get(id)?.messages ?? [], line);
}

/** False where nothing shows up to where the user has read: the line is before all messages. */
export const hasPlace = ({ messageId, at }: ReadLine): boolean => messageId !== null || at > 0;

/** The unread count after messages were deleted: never more than before. `left`: the newest messages that remain. */
export function unreadAfterRemoval(
  state: AppState,
  id: ConversationId,
  left: readonly Message[],
  backdated: Backdated,
): number {
  const counted = countUnread(left, state.local.readLines.get(id), state, backdated);
  return Math.min(state.cache.unread.get(id) ?? 0, counted);
}
