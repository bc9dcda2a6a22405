/** Changes the filter or the view of the conversation list; the selection moves to a row that is still shown. */
import { indexIn } from '../collections/index-hint.ts';
import { selectListOrder } from '../select/listed-conversations.ts';
import type { Transition } from '../store.ts';
import { cycleListView, selectInList, setFilter } from '../view/list-place.ts';
import { searchTopOfList } from './list-search.ts';

/** Sets the filter and selects the first match. */
export const filterList =
  (filter: string): Transition =>
  (state) => {
    if (filter === state.view.list.filter) return state;
    const filtered = searchTopOfList(setFilter(filter)(state));
    return selectInList(selectListOrder(filtered)[0] ?? null)(filtered);
  };

/** Switches to the next view of the list. The selected conversation stays selected where the view contains it. */
export const nextListView: Transition = (state) => {
  const next = cycleListView(state);
  const order = selectListOrder(next);
  const { selectedId } = next.view.list;
  return selectedId !== null && indexIn(order, selectedId) >= 0 ? next : selectInList(order[0] ?? null)(next);
};
