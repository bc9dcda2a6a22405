/** What the cache in memory does with the messages of a conversation, which it holds as an array: oldest first. */

import type { ContactId, ConversationId, Message, MessageId } from '../../protocol/types.ts';
import type { HistoryKey, PageFrom } from '../../state/cache/cached-history.ts';
import { compareMessages } from '../../state/cache/thread-order.ts';
import { lowerBound } from '../../state/collections/sorted.ts';
import { ownershipAmong } from '../../state/local/identity.ts';
import { messagesAfter } from '../../state/local/unread.ts';
import type { Me, ReadLine } from '../../state/model/app-state.ts';
import type { DiskCache } from './disk-cache.ts';

/** The same rule as `countOfHead` in SQL. */
export function unreadIn(
  thread: readonly Message[],
  line: ReadLine | undefined,
  other: ContactId | null,
  me: Me | null,
): number {
  const hasWritten = (id: ContactId): boolean => thread.some(({ contact }) => contact?.id === id);
  return messagesAfter(thread, line).filter((one) => ownershipAmong(one, me, other, hasWritten) !== 'own').length;
}

/** Oldest first. */
export function allOf(cache: Pick<DiskCache, 'history'>, id: ConversationId): Message[] {
  const pages: (readonly Message[])[] = [];
  for (let from: PageFrom = 'newest'; ; ) {
    const { messages, hasMore } = cache.history(id, from, 1_000);
    pages.unshift(messages);
    const [oldest] = messages;
    if (!hasMore || oldest === undefined) return pages.flat();
    from = { before: oldest };
  }
}

/** The index of the first message that is not sorted before the key. */
export const indexFrom = (thread: readonly Message[], key: HistoryKey): number =>
  lowerBound(thread, (message) => compareMessages(message, key));

export function remove(thread: Message[], ids: ReadonlySet<MessageId>): void {
  for (let i = thread.length - 1, left = ids.size; i >= 0 && left > 0; i--) {
    if (!ids.has(thread[i]?.id ?? '')) continue;
    thread.splice(i, 1);
    left--;
  }
}
