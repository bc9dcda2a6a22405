/** The newest known messages of a conversation, with which a page of the server is compared. */
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
  readonly cut: ReadonlySet<MessageId>;
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
      cut: nothing,
    };
  const { messages, cut, hasMore } = context.cache.outline(id, knownLimit);
  const held = new Map(window.map((message) => [message.id, message]));
  return {
    messages: messages.map((message) => held.get(message.id) ?? message),
    isAll: !hasMore,
    cut: held.size === 0 ? cut : new Set([...cut].filter((one) => !held.has(one))),
  };
}
