/** Chooses the conversations whose newest pages are worth a request. */
import type { ConversationId } from '../../protocol/types.ts';
import type { AppState } from '../../state/model/app-state.ts';
import { activeAt, selectWholeOrder } from '../../state/select/list-order.ts';

/** How many newest pages may be asked for after the first list, and how many more after every later one. */
export const firstPagesAtStart = 30;
export const pagesPerPoll = 5;

/** Each conversation once, the last active first, and no more than may be asked for. */
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

/** This many at the top of the list are read more often than the others. */
const uppermost = 20;
const eachTime = { uppermost: 3, others: 2 } as const;
/** No conversation is read more often. */
const everyMs = 30_000;

/**
 * A server that sends no `last_active_at` has no list that shows where messages came in. This chooses the conversations
 * to read next on such a server, and none as soon as the list names the activity of any conversation at its top.
 *
 * The returned function is given when each conversation was last read, and the time now, on the monotonic clock.
 */
export function createPageRounds(): (
  state: AppState,
  readAt: ReadonlyMap<ConversationId, number>,
  now: number,
) => readonly ConversationId[] {
  let others: Iterator<ConversationId> = [].values();
  let namesActivity = false;
  return (state, readAt, now) => {
    if (namesActivity) return [];
    const { conversations } = state.cache;
    const top = selectWholeOrder(state).slice(0, uppermost);
    namesActivity = top.some((id) => (conversations.get(id)?.lastActiveAt ?? null) !== null);
    if (namesActivity) return [];
    const at = (id: ConversationId): number => readAt.get(id) ?? Number.NEGATIVE_INFINITY;
    const isDue = (id: ConversationId): boolean => now - at(id) >= everyMs;
    const upper = top.filter(isDue).sort((a, b) => at(a) - at(b));
    const found = new Set(upper.slice(0, eachTime.uppermost));
    const wanted = found.size + eachTime.others;
    for (let tried = 0; tried < Math.min(conversations.size, uppermost) && found.size < wanted; tried++) {
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
