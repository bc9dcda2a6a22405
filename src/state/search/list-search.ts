/** Looks through a long list for the filter: the top of it within the key, the others between keys. */

import type { AppState, ListSearch } from '../model/app-state.ts';
import { isNamed, namesAtOnce, selectListOrder, selectWholeOrder, wordsOf } from '../select/list-order.ts';
import { selectConversation } from '../select/selectors.ts';
import type { Transition } from '../store.ts';
import { selectInList } from '../view/list-place.ts';
import { patchView } from '../view/view.ts';
import { partNames, type Search } from './incremental-search.ts';

/** A look under way. */
interface ListLook {
  /** As all was when it began. */
  readonly state: AppState;
  readonly search: ListSearch;
  readonly isDone: boolean;
}

/** Within the key. */
const partsAtOnce = 10;

const isLong = (state: AppState): boolean => selectWholeOrder(state).length > namesAtOnce;

function isSearching(state: AppState): boolean {
  const { filter, search } = state.view.list;
  if (filter.trim() === '' || !isLong(state)) return false;
  if (search === undefined || search === null || search.filter !== filter) return true;
  return search.looked < search.of.length || search.order !== selectWholeOrder(state);
}

export const listSearch: Search<ListLook> = {
  isDue: isSearching,
  begin: (state) => (isSearching(state) ? { state, search: begun(state), isDone: false } : null),
  on: lookOn,
  isAsked: ({ view }, { search }) => view.list.filter === search.filter,
  shown: ({ search }) => search.before ?? search.ids,
  put,
};

/** The top of the list; the same state where there is nothing to look for. */
export const searchAtOnce: Transition = (state) => {
  let look = listSearch.begin(state);
  if (look === null) return state;
  for (let parts = 0; parts < partsAtOnce; parts++) look = lookOn(look);
  return put(look)(state);
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

function lookOn(look: ListLook): ListLook {
  const { state, search } = look;
  const words = wordsOf(search.filter);
  const looked = Math.min(search.of.length, search.looked + partNames);
  const found = search.of.slice(search.looked, looked).filter((id) => {
    const conversation = selectConversation(state, id);
    return conversation !== null && isNamed(state, conversation, words);
  });
  const ids = found.length === 0 ? search.ids : [...search.ids, ...found];
  const isDone = looked === search.of.length;
  return { state, search: { ...search, ids, looked, before: isDone ? null : search.before }, isDone };
}

/** Ignored when the filter is another one meanwhile. The first match found is selected. */
function put({ search }: ListLook): Transition {
  return (state) => {
    const { list } = state.view;
    if (list.filter !== search.filter) return state;
    const next = patchView(state, { list: { ...list, search } });
    const [first] = selectListOrder(next);
    return list.selectedId === null && first !== undefined ? selectInList(first)(next) : next;
  };
}
