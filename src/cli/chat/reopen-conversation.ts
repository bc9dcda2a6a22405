/** Opens the conversation that was open last, unless the user has opened another one already. */
import type { ConversationId } from '../../protocol/types.ts';
import type { AppState } from '../../state/model/app-state.ts';
import { type AppStore, until } from '../../state/store.ts';

/** Waits for the server to list the conversation when it is not cached; gives up when the complete list lacks it. */
export async function reopenConversation(
  store: AppStore,
  id: ConversationId,
  open: (id: ConversationId) => void,
): Promise<void> {
  const isThere = ({ cache }: AppState): boolean => cache.conversations.has(id);
  if (isThere(store.getState())) {
    open(id);
    return;
  }
  await until(store, (state) => isThere(state) || isBusy(state) || state.view.connection.listComplete);
  if (isThere(store.getState()) && !isBusy(store.getState())) open(id);
}

function isBusy({ screen: { overlays }, view: { openId, list } }: AppState): boolean {
  const isListAtRest = list.frozenOrder === null && list.isFiltering !== true && list.filter === '';
  return openId !== null || overlays.length > 0 || !isListAtRest;
}
