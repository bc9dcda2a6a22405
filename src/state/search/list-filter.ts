/** The selection when the list comes to show something else: what is shown no more is not selected. */
import { previousBoundary } from '../../text/unicode/graphemes.ts';
import { placeIn } from '../collections/index-hint.ts';
import { selectListOrder } from '../select/list-order.ts';
import type { Transition } from '../store.ts';
import { clearFilter, cycleListView, selectInList, setFilter } from '../view/list-place.ts';
import { searchAtOnce } from './list-search.ts';

/** The first match is selected. */
export const filterList =
  (filter: string): Transition =>
  (state) => {
    if (filter === state.view.list.filter) return state;
    const filtered = searchAtOnce(setFilter(filter)(state));
    return selectInList(selectListOrder(filtered)[0] ?? null)(filtered);
  };

/** Takes the last character away; from an empty filter, the filter itself. */
export const shortenFilter: Transition = (state) => {
  const { filter } = state.view.list;
  return filter === ''
    ? clearFilter(state)
    : filterList(filter.slice(0, previousBoundary(filter, filter.length)))(state);
};

/** The next view of the list; the selection stays where the view has it. */
export const nextListView: Transition = (state) => {
  const next = cycleListView(state);
  const order = selectListOrder(next);
  const { selectedId } = next.view.list;
  return selectedId !== null && placeIn(order, selectedId) >= 0 ? next : selectInList(order[0] ?? null)(next);
};
