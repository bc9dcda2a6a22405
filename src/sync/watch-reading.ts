/** Learns whether retrieving a conversation marks its messages as read, from what its pages show afterwards. */
import type { Answer } from '../api/operations.ts';
import type { Conversation, ConversationId, Message, MessageId } from '../protocol/types.ts';
import { knownNewest } from './absorb.ts';
import { remember, type SyncContext, stateOf } from './context.ts';

/** Retrieved just now, with messages of the other side in it that were unread before. */
interface Opening {
  readonly unread: ReadonlySet<MessageId>;
  /** On the server's clock. */
  readonly at: number;
  readonly monotonic: number;
}

export type Openings = Map<ConversationId, Opening>;

/** Times may be cut to whole seconds, and marks set a moment later. */
const slackMs = 5_000;
/** Lists lag: what is unread on a page before this may be read all the same. */
const settledAfterMs = 90_000;

/**
 * Of a conversation with one contact alone: in a group somebody else may have read. Who is unread has to be known from
 * before the request.
 */
export function unreadBefore(context: SyncContext, id: ConversationId): ReadonlySet<MessageId> {
  const other = stateOf(context).cache.conversations.get(id)?.contactId ?? null;
  const incoming = (message: Message): boolean => other !== null && message.contact?.id === other;
  const unread = knownNewest(context, id).messages.filter((message) => message.readAt === null && incoming(message));
  return new Set(unread.map((message) => message.id));
}

export function noteOpening(
  context: SyncContext,
  id: ConversationId,
  unread: ReadonlySet<MessageId>,
  answer: Answer<Conversation>,
): void {
  if (unread.size === 0) return;
  const at = answer.serverDate ?? context.clock.now();
  context.openings.set(id, { unread, at, monotonic: context.clock.monotonic() });
}

/** What was read at any other time was read on another device, and says nothing of this request. */
const isThen = (readAt: number, at: number): boolean => Math.abs(readAt - at) <= slackMs;

/** `rows`: the newest page, asked for at `askedAt` on the monotonic clock; null when it is the one of before. */
export function learnFromPage(
  context: SyncContext,
  id: ConversationId,
  rows: readonly Message[] | null,
  askedAt: number,
): void {
  const opening = context.openings.get(id);
  if (opening === undefined || askedAt < opening.monotonic) return;
  const shown = rows?.filter((message) => opening.unread.has(message.id)) ?? [];
  const isMarked = shown.some(({ readAt }) => readAt !== null && isThen(readAt, opening.at));
  const isUnread = rows === null || shown.some(({ readAt }) => readAt === null);
  const isSettled = askedAt - opening.monotonic >= settledAfterMs;
  if (!isMarked && !isSettled && isUnread) return;
  context.openings.delete(id);
  if (isMarked || isUnread) remember(context, 'marksRead', isMarked, 'GET /v1/conversations/:id');
}
