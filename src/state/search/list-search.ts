/**
 * The search for the filter of the conversation list, as an incremental search: the top of a long list is searched
 * within the key press, the rest between key presses.
 */

import type { AppState, ListSearch } from '../model/app-state.ts';
import { isNamed, namesAtOnce, selectListOrder, selectWholeOrder, wordsOf } from '../select/list-order.ts';
import { selectConversation } from '../select/selectors.ts';
import type { Transition } from '../store.ts';
import { selectInList } from '../view/list-place.ts';
import { patchView } from '../view/view.ts';
import { type IncrementalSearch, namesPerPart } from './incremental-search.ts';

/** A search under way. */
interface ListSearchRun {
  /** The state when it began: names and conversations are read from it. */
  readonly state: AppState;
  readonly search: ListSearch;
  readonly isDone: boolean;
}

/** This many parts are searched within the key press. */
const partsWithinKey = 10;

const isLong = (state: AppState): boolean => selectWholeOrder(state).length > namesAtOnce;

function isDue(state: AppState): boolean {
  const { filter, search } = state.view.list;
  if (filter.trim() === '' || !isLong(state)) return false;
  if (search === undefined || search === null || search.filter !== filter) return true;
  return search.searchedCount < search.candidates.length || search.order !== selectWholeOrder(state);
}

export const listSearch: IncrementalSearch<ListSearchRun> = {
  isDue,
  begin: (state) => (isDue(state) ? { state, search: startingPoint(state), isDone: false } : null),
  advance,
  isCurrent: ({ view }, { search }) => view.list.filter === search.filter,
  shown: ({ search }) => search.previousMatches ?? search.matches,
  publish,
};

/** Searches the top of the list; the same state where no search is due. */
export const searchTopOfList: Transition = (state) => {
  let run = listSearch.begin(state);
  if (run === null) return state;
  for (let parts = 0; parts < partsWithinKey; parts++) run = advance(run);
  return publish(run)(state);
};

/** Goes on with the last search where it still applies. A longer filter can match only what a shorter one matched. */
function startingPoint(state: AppState): ListSearch {
  const { filter, search } = state.view.list;
  const order = selectWholeOrder(state);
  const fresh = { filter, order, candidates: order, matches: [], searchedCount: 0, previousMatches: null };
  if (search === undefined || search === null) return fresh;
  // The order has changed: its new version is searched while the matches of the old one stay on the screen.
  if (search.filter === filter)
    return search.order === order ? search : { ...fresh, previousMatches: search.previousMatches ?? search.matches };
  const isComplete = search.order === order && search.searchedCount === search.candidates.length;
  return isComplete && filter.startsWith(search.filter) ? { ...fresh, candidates: search.matches } : fresh;
}

function advance({ state, search }: ListSearchRun): ListSearchRun {
  const words = wordsOf(search.filter);
  const searchedCount = Math.min(search.candidates.length, search.searchedCount + namesPerPart);
  const found = search.candidates.slice(search.searchedCount, searchedCount).filter((id) => {
    const conversation = selectConversation(state, id);
    return conversation !== null && isNamed(state, conversation, words);
  });
  const matches = found.length === 0 ? search.matches : [...search.matches, ...found];
  const isDone = searchedCount === search.candidates.length;
  const previousMatches = isDone ? null : search.previousMatches;
  return { state, search: { ...search, matches, searchedCount, previousMatches }, isDone };
}

/** Changes nothing when another filter was typed meanwhile. Where no row is selected, the first match gets selected. */
function publish({ search }: ListSearchRun): Transition {
  return (state) => {
    const { list } = state.view;
    if (list.filter !== search.filter) return state;
    const next = patchView(state, { list: { ...list, search } });
    const [first] = selectListOrder(next);
    return list.selectedId === null && first !== undefined ? selectInList(first)(next) : next;
  };
}
