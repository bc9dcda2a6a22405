/** Typing in the list's filter: the first match is selected. */
import { previousBoundary } from '../text/graphemes.ts';
import { selectListOrder } from './list-order.ts';
import { clearFilter, selectInList, setFilter } from './list-place.ts';
import type { Transition } from './store.ts';

export const filterList =
  (filter: string): Transition =>
  (state) => {
    if (filter === state.view.list.filter) return state;
    const filtered = setFilter(filter)(state);
    return selectInList(selectListOrder(filtered)[0] ?? null)(filtered);
  };

/** Takes the last character away; from an empty filter, the filter itself. */
export const shortenFilter: Transition = (state) => {
  const { filter } = state.view.list;
  return filter === ''
    ? clearFilter(state)
    : filterList(filter.slice(0, previousBoundary(filter, filter.length)))(state);
};
