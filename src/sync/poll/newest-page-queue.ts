/** Which conversations' newest pages are worth a request. */
import type { ConversationId } from '../../protocol/types.ts';
import type { AppState } from '../../state/model/app-state.ts';
import { activeAt, selectWholeOrder } from '../../state/select/list-order.ts';

/** Newest pages asked for after the first list, and added with every list after it. */
export const firstPagesAtStart = 30;
export const pagesPerPoll = 5;

/** Each once, the last active first, and no more than are asked for. */
export function mostActive({ cache }: AppState, ids: readonly ConversationId[]): readonly ConversationId[] {
  const activity = (id: ConversationId): number => {
    const conversation = cache.conversations.get(id);
    return conversation === undefined ? 0 : activeAt(conversation, cache.lastMessages);
  };
  const found = [...new Set(ids)].map((id) => ({ id, at: activity(id) }));
  return found
    .sort((a, b) => b.at - a.at)
    .slice(0, firstPagesAtStart)
    .map(({ id }) => id);
}

/** So many at the top of the list are looked at more often than the others. */
const uppermost = 20;
const eachTime = { uppermost: 3, others: 2 } as const;
/** None is looked at oftener. */
const everyMs = 30_000;

/**
 * For a server that names no activity, so that no list shows what came in: which to look at next. `readAt`: when each was
 * read, on the monotonic clock. None where the activity of any at the top of the list is known.
 */
export function createPageRounds(): (
  state: AppState,
  readAt: ReadonlyMap<ConversationId, number>,
  now: number,
) => readonly ConversationId[] {
  let others: Iterator<ConversationId> = [].values();
  let isTold = false;
  return (state, readAt, now) => {
    if (isTold) return [];
    const { conversations } = state.cache;
    const top = selectWholeOrder(state).slice(0, uppermost);
    isTold = top.some((id) => (conversations.get(id)?.lastActiveAt ?? null) !== null);
    if (isTold) return [];
    const at = (id: ConversationId): number => readAt.get(id) ?? Number.NEGATIVE_INFINITY;
    const isDue = (id: ConversationId): boolean => now - at(id) >= everyMs;
    const upper = top.filter(isDue).sort((a, b) => at(a) - at(b));
    const found = new Set(upper.slice(0, eachTime.uppermost));
    const wanted = found.size + eachTime.others;
    for (let looked = 0; looked < Math.min(conversations.size, uppermost) && found.size < wanted; looked++) {
      let next = others.next();
      if (next.done === true) {
        others = conversations.keys();
        next = others.next();
      }
      const id = next.value;
      if (id !== undefined && isDue(id)) found.add(id);
    }
    return [...found];
  };
}
