/**
 * Remembers messages of others that turn up before the read line, because a replica of the server lagged behind or its
 * clock was set back. The read line is a time, so by the line alone they would count as read.
 */
import type { ConversationId, Message } from '../../protocol/types.ts';
import { mergeMessages } from '../../state/cache/threads.ts';
import { isOwn } from '../../state/local/outbox.ts';
import { messagesAfter } from '../../state/local/unread.ts';
import { type Services, stateOf } from '../services/services.ts';
import type { KnownTail } from './known-tail.ts';

/**
 * Finds backdated messages among the new rows of a newest page, before they enter the state.
 *
 * @param fresh rows that were not known; the page joins what was known
 */
export function noteBackdated(
  context: Pick<Services, 'store' | 'cache' | 'backdated'>,
  id: ConversationId,
  fresh: readonly Message[],
  known: KnownTail,
): void {
  const state = stateOf(context);
  const all = context.backdated;
  if (!state.cache.unread.has(id)) all.delete(id);
  const line = state.local.readLines.get(id);
  if (fresh.length === 0 || line === undefined) return;
  const from = knownFrom(context, id, known);
  if (from === null) return;
  const unread = new Set(messagesAfter(mergeMessages(known.messages, fresh), line));
  const late = fresh.filter(
    (message) => (message.createdAt ?? 0) > from && !unread.has(message) && !isOwn(message, state),
  );
  if (late.length > 0) all.set(id, new Set([...(all.get(id) ?? []), ...late.map((message) => message.id)]));
}

/** The time since which every message was known; null where that cannot be said. */
function knownFrom(
  context: Pick<Services, 'cache'>,
  id: ConversationId,
  { messages, isAll }: KnownTail,
): number | null {
  if (messages.length === 0) return null;
  const { older, gaps } = context.cache.reach(id);
  const gap = messages.findLastIndex((message) => gaps.includes(message.id));
  if (gap < 0 && isAll && older === 'end') return 0;
  return messages[Math.max(0, gap)]?.createdAt ?? null;
}
