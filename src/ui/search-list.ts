/** Goes on looking through a long list for its filter, a slice in each turn of the loop. */
import { isSearching, searchOn } from '../state/list-search.ts';
import type { AppStore } from '../state/store.ts';

/** @returns stops listening */
export function searchInTurns(store: AppStore, pause: () => Promise<void>): () => void {
  let isUnderWay = false;
  const goOn = async (): Promise<void> => {
    isUnderWay = true;
    while (isSearching(store.getState())) {
      await pause();
      store.setState(searchOn);
    }
    isUnderWay = false;
  };
  return store.subscribe((state, previous) => {
    if (isUnderWay || (state.view.list === previous.view.list && state.cache === previous.cache)) return;
    if (isSearching(state)) void goOn();
  });
}
