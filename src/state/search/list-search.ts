/**
 * The filter and the view of the conversation list: the top of a long list is searched within the key press, the rest
 * after, and the selection moves to a row that is still shown.
 */

import type { ConversationId } from '../../protocol/types.ts';
import { foldedWords } from '../../text/search/find.ts';
import { indexIn } from '../collections/index-hint.ts';
import type { AppState, ListSearch, ListView } from '../model/app-state.ts';
import {
  isNamed,
  namesAtOnce,
  searchMatches,
  selectListOrder,
  selectWholeOrder,
} from '../select/listed-conversations.ts';
import { selectConversation } from '../select/selectors.ts';
import type { Transition } from '../store.ts';
import { selectInList, setFilter, setListView, viewAfter } from '../view/list-place.ts';
import { patchView } from '../view/view.ts';
import { type IncrementalSearch, inSteps, namesPerPart } from './incremental-search.ts';

/** This many parts are searched within the key press. */
const partsWithinKey = 10;

function wanted(state: AppState): string | null {
  const { filter, search, view } = state.view.list;
  if (filter.trim() === '') return null;
  const order = selectWholeOrder(state);
  const isComplete = search?.filter === filter && search.isDone && isCurrent(state, search);
  return isComplete || order.length <= namesAtOnce
    ? null
    : `${typeof view === 'string' ? view : view.groupId} ${filter}`;
}

/** Whether neither the list nor a name has changed since the search began. */
const isCurrent = (state: AppState, { order, contacts, names }: ListSearch): boolean =>
  order === selectWholeOrder(state) && contacts === state.cache.contacts && names === state.local.names;

export const listSearch: IncrementalSearch<ListSearch> = {
  wanted,
  results: (state, clock) => inSteps(searchList(state), clock),
  publish,
};

/** Searches the top of the list; the same state where no search is wanted. */
const searchTopOfList: Transition = (state) => {
  if (wanted(state) === null) return state;
  const parts = searchList(state);
  let part = parts.next();
  for (let count = 1; count < partsWithinKey && part.done !== true; count++) part = parts.next();
  return publish(part.value)(state);
};

/** Goes on with the last search where it still applies. A longer filter can match only what a shorter one matched. */
function startingPoint(state: AppState): ListSearch {
  const { filter, search } = state.view.list;
  const order = selectWholeOrder(state);
  const sources = { order, contacts: state.cache.contacts, names: state.local.names };
  const empty = { matches: [], searchedCount: 0, previousMatches: null, isDone: false };
  const fresh = { filter, ...sources, candidates: order, ...empty };
  if (search === undefined || search === null) return fresh;
  // The list or a name has changed: it is searched while the matches from before stay on the screen.
  if (search.filter === filter)
    return isCurrent(state, search) ? search : { ...fresh, previousMatches: search.previousMatches ?? search.matches };
  const isPart = search.isDone && isCurrent(state, search) && filter.startsWith(search.filter);
  return isPart ? { ...fresh, candidates: search.matches } : fresh;
}

/** Yields the search after each part. */
function* searchList(state: AppState): Generator<ListSearch, ListSearch> {
  const words = foldedWords(state.view.list.filter);
  for (let search = startingPoint(state); ; ) {
    const searchedCount = search.searchedCount + namesPerPart;
    const found = search.candidates.slice(search.searchedCount, searchedCount).filter((id) => {
      const conversation = selectConversation(state, id);
      return conversation !== null && isNamed(state, conversation, words);
    });
    const matches = found.length === 0 ? search.matches : [...search.matches, ...found];
    search = { ...search, matches, searchedCount };
    if (searchedCount >= search.candidates.length) return { ...search, previousMatches: null, isDone: true };
    yield search;
  }
}

/** Where no row is selected, the first match gets selected. */
function publish(search: ListSearch): Transition {
  return (state) => {
    const { list } = state.view;
    if (!search.isDone && searchMatches(list) === (search.previousMatches ?? search.matches)) return state;
    const next = patchView(state, { list: { ...list, search } });
    const [first] = selectListOrder(next);
    return list.selectedId === null && first !== undefined ? selectInList(first)(next) : next;
  };
}

/** Sets the filter and selects the first match. */
export const filterList =
  (filter: string): Transition =>
  (state) => {
    if (filter === state.view.list.filter) return state;
    const filtered = searchTopOfList(setFilter(filter)(state));
    return selectInList(selectListOrder(filtered)[0] ?? null)(filtered);
  };

/**
 * Shows a view of the list. The selected conversation stays selected where the view contains it; otherwise the open one is,
 * or the first.
 */
export const showListView =
  (view: ListView): Transition =>
  (state) => {
    const next = setListView(view)(state);
    const order = selectListOrder(next);
    const { openId, list } = next.view;
    const isShown = (id: ConversationId | null): id is ConversationId => id !== null && indexIn(order, id) >= 0;
    if (isShown(list.selectedId)) return next;
    return selectInList(isShown(openId) ? openId : (order[0] ?? null))(next);
  };

export const nextListView: Transition = (state) => showListView(viewAfter(state.view.list.view))(state);
