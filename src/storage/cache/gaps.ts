/** Keeps the gaps of a history where they are when messages are removed. */
import type { ConversationId, Message, MessageId } from '../../protocol/types.ts';
import type { HistoryPage, HistoryReach, PageFrom } from '../../state/cache/cached-history.ts';

interface Histories {
  message(conversationId: ConversationId, id: MessageId): Message | null;
  history(conversationId: ConversationId, from: PageFrom, limit: number): HistoryPage;
  reach(conversationId: ConversationId): HistoryReach;
  saveReach(conversationId: ConversationId, older: HistoryReach['older'], gaps: readonly MessageId[]): void;
}

/** A gap before a message that `remove` removes becomes a gap before the next one that stays. */
export function moveGaps(cache: Histories, id: ConversationId, ids: readonly MessageId[], remove: () => void): void {
  const { older, gaps } = cache.reach(id);
  const gone = new Map(gaps.filter((gap) => ids.includes(gap)).map((gap) => [gap, cache.message(id, gap)]));
  remove();
  if (gone.size === 0) return;
  const moved = gaps.flatMap((gap) => {
    const message = gone.get(gap);
    if (message === undefined) return [gap];
    const next = message === null ? undefined : cache.history(id, { after: message }, 1).messages[0];
    return next === undefined ? [] : [next.id];
  });
  cache.saveReach(id, older, [...new Set(moved)]);
}
