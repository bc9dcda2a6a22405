/** Chooses the conversations whose newest pages are worth a request. */
import type { ConversationId } from '../../protocol/types.ts';
import type { AppState } from '../../state/model/app-state.ts';
import { activeAt } from '../../state/select/list-order.ts';

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
