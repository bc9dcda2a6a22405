/** Which conversations' newest pages are worth a request. */
import type { ConversationId } from '../protocol/types.ts';
import type { AppState } from '../state/state.ts';

/** So many of them, each once, the last active first. */
export function mostActive(
  { cache }: AppState,
  ids: readonly ConversationId[],
  count: number,
): readonly ConversationId[] {
  const activity = (id: ConversationId): number => cache.conversations.get(id)?.lastActiveAt ?? 0;
  return [...new Set(ids)].sort((a, b) => activity(b) - activity(a)).slice(0, count);
}
