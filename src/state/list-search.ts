/** Looks through a long list for the filter, a slice at a time, so that no key waits for a hundred thousand names. */
import { isNamed, namesAtOnce, selectListOrder, selectWholeOrder, wordsOf } from './list-order.ts';
import { selectInList } from './list-place.ts';
import { selectConversation } from './selectors.ts';
import type { AppState, ListSearch } from './state.ts';
import type { Transition } from './store.ts';
import { patchView } from './view.ts';

/** Names of one slice. */
const sliceNames = 1_000;

const isLong = (state: AppState): boolean => selectWholeOrder(state).length > namesAtOnce;

/** There are names that the filter was not compared with yet. */
export function isSearching(state: AppState): boolean {
  const { filter, search } = state.view.list;
  if (filter.trim() === '' || !isLong(state)) return false;
  if (search === undefined || search === null || search.filter !== filter) return true;
  return search.looked < search.of.length || search.order !== selectWholeOrder(state);
}

/** One slice more; the same state where there is nothing to look for. The first match found is selected. */
export const searchOn: Transition = (state) => {
  const { list } = state.view;
  if (!isSearching(state)) return state;
  const search = slice(state, begun(state));
  const next = patchView(state, { list: { ...list, search } });
  const [first] = selectListOrder(next);
  return list.selectedId === null && first !== undefined ? selectInList(first)(next) : next;
};

/** As it stands, or from the start: of what matched a shorter filter only that can match a longer one. */
function begun(state: AppState): ListSearch {
  const { filter, search } = state.view.list;
  const order = selectWholeOrder(state);
  const anew = { filter, order, of: order, ids: [], looked: 0, before: null };
  if (search === undefined || search === null) return anew;
  // What has changed in the order is looked through behind what is shown.
  if (search.filter === filter)
    return search.order === order ? search : { ...anew, before: search.before ?? search.ids };
  const isWithin = search.order === order && search.looked === search.of.length && filter.startsWith(search.filter);
  return isWithin ? { ...anew, of: search.ids } : anew;
}

function slice(state: AppState, search: ListSearch): ListSearch {
  const words = wordsOf(search.filter);
  const looked = Math.min(search.of.length, search.looked + sliceNames);
  const found = search.of.slice(search.looked, looked).filter((id) => {
    const conversation = selectConversation(state, id);
    return conversation !== null && isNamed(state, conversation, words);
  });
  const ids = found.length === 0 ? search.ids : [...search.ids, ...found];
  return { ...search, ids, looked, before: looked === search.of.length ? null : search.before };
}
