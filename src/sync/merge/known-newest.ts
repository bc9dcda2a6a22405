/** Says which messages of a conversation are known here, since when none is missing, and which ones a page should have shown. */
import type { ConversationId, Message, MessageId } from '../../protocol/types.ts';
import { type Services, stateOf } from '../services/services.ts';

/** A page of the server is compared with at most this many of the newest known messages. */
export const knownLimit = 200;

/** The newest end of a conversation as far as it is known here. */
export interface KnownTail {
  /** Oldest first. */
  readonly messages: readonly Message[];
  /** No older message is in the cache. */
  readonly isAll: boolean;
  /** Messages whose text is on disk only; it is empty here. */
  readonly withoutText: ReadonlySet<MessageId>;
}

const nothing: ReadonlySet<MessageId> = new Set();

/** Reads the newest known messages from memory where they are loaded, else from the cache on disk. */
export function knownNewest(context: Services, id: ConversationId): KnownTail {
  const thread = stateOf(context).cache.threads.get(id);
  const window = thread?.newer === 'end' ? thread.messages : [];
  if (thread?.newer === 'end' && (thread.older !== 'disk' || window.length >= knownLimit))
    return {
      messages: window.slice(-knownLimit),
      isAll: thread.older !== 'disk' && window.length <= knownLimit,
      withoutText: nothing,
    };
  const { messages, withoutText, hasMore } = context.cache.outline(id, knownLimit);
  const held = new Map(window.map((message) => [message.id, message]));
  return {
    messages: messages.map((message) => held.get(message.id) ?? message),
    isAll: !hasMore,
    withoutText: held.size === 0 ? withoutText : new Set([...withoutText].filter((one) => !held.has(one))),
  };
}

/** The time since which every message is known, 0: since the beginning; null where that cannot be said. */
export function knownFrom(
  context: Pick<Services, 'cache'>,
  id: ConversationId,
  { messages, isAll }: Pick<KnownTail, 'messages' | 'isAll'>,
): number | null {
  const { older, gaps } = context.cache.reach(id);
  const gap = messages.findLastIndex((message) => gaps.includes(message.id));
  if (gap < 0 && isAll && older === 'end') return 0;
  return messages[Math.max(0, gap)]?.createdAt ?? null;
}

/** Known messages that a page should have shown and did not. */
export function missingFrom(
  page: readonly Message[],
  known: readonly Message[],
  isComplete: boolean,
): readonly Message[] {
  const oldest = page[0];
  const present = new Set(page.map((message) => message.id));
  return known.filter((message) => {
    if (present.has(message.id)) return false;
    return isComplete || (oldest !== undefined && (message.createdAt ?? 0) > (oldest.createdAt ?? 0));
  });
}
