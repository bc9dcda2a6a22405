/** Transitions of the conversation list: selection, view, filter, and the order, frozen while the selection moves. */
import type { ConversationId } from '../../protocol/types.ts';
import { indexIn, noteNeighbouringIndexes } from '../collections/index-hint.ts';
import type { AppState, ListState, ListView } from '../model/app-state.ts';
import type { Transition } from '../store.ts';
import { patchView } from './view.ts';

/** The conversation that the list's keys act on: the selected one, else the open one, else the first one shown. */
export const selectListSelection = (state: AppState, order: readonly ConversationId[]): ConversationId | null =>
  state.view.list.selectedId ?? state.view.openId ?? order[0] ?? null;

const views: readonly ListView[] = ['all', 'unread', 'pinned', 'muted', 'archived'];

export type ListStep = 'next' | 'previous' | 'first' | 'last';

const patchList = (state: AppState, patch: Partial<ListState>): AppState => {
  const keys = Object.keys(patch) as (keyof ListState)[];
  if (keys.every((key) => Object.is(state.view.list[key], patch[key]))) return state;
  return patchView(state, { list: { ...state.view.list, ...patch } });
};

/** Moves the selection along `order`, which is what the list shows, and freezes that order. */
export const stepInList =
  (order: readonly ConversationId[], step: ListStep): Transition =>
  (state) => {
    const selectedId = selectListSelection(state, order);
    const target = beside(state, order, selectedId, step) ?? order[stepIndex(order, selectedId, step)];
    return target === undefined
      ? state
      : patchList(state, { selectedId: target, frozenOrder: order, ...withSelection(state) });
  };

/** The neighbour of a conversation that the list does not show any more; null while it does, or where its place is unknown. */
function beside(
  { view }: AppState,
  order: readonly ConversationId[],
  selectedId: ConversationId | null,
  step: ListStep,
): ConversationId | null {
  if (selectedId === null || step === 'first' || step === 'last' || indexIn(order, selectedId) >= 0) return null;
  const frozen = view.list.frozenOrder ?? [];
  const at = frozen.indexOf(selectedId);
  if (at < 0) return null;
  const shown = new Set(order);
  const next = frozen.slice(at + 1).find((id) => shown.has(id)) ?? null;
  const previous = frozen.slice(0, at).findLast((id) => shown.has(id)) ?? null;
  return step === 'next' ? (next ?? previous) : (previous ?? next);
}

function stepIndex(order: readonly ConversationId[], selectedId: ConversationId | null, step: ListStep): number {
  if (step === 'first') return 0;
  if (step === 'last') return order.length - 1;
  const index = selectedId === null ? -1 : indexIn(order, selectedId);
  if (index === -1) return 0;
  noteNeighbouringIndexes(order, index);
  return step === 'next' ? Math.min(index + 1, order.length - 1) : Math.max(index - 1, 0);
}

/** Shows the list from this conversation on, wherever the selection is. */
export const scrollListTo =
  (topId: ConversationId): Transition =>
  (state) =>
    patchList(state, { topId, isScrolled: true });

/** The change by which the list shows its selection again. */
const withSelection = ({ view }: AppState): Partial<ListState> => (view.list.isScrolled ? { isScrolled: false } : {});

/** Keeps what the list's keys act on selected and in sight, wherever the list moves it, while the list has the keyboard. */
export const holdListSelection =
  (order: readonly ConversationId[]): Transition =>
  (state) =>
    state.screen.focus === 'list'
      ? patchList(state, { selectedId: selectListSelection(state, order), ...withSelection(state) })
      : state;

/**
 * To be applied before news from the server move the rows: while nothing is open or selected, keys act on the first row, and
 * go on to do so wherever it moves. Until the first answer nothing is held: rows above the first one are yet to come.
 */
export const holdFirstRow =
  (orderOf: (state: AppState) => readonly ConversationId[]): Transition =>
  (state) => {
    const { list, openId, connection } = state.view;
    const isHeld = list.selectedId !== null || openId !== null || connection.asOf === null;
    return isHeld ? state : patchList(state, { selectedId: orderOf(state)[0] ?? null });
  };

/** Ends the freezing: the list shows its present order. */
export const unfreezeList: Transition = (state) => patchList(state, { frozenOrder: null });

/** Selects without freezing the order: for a click, or the first match of a filter. */
export const selectInList =
  (id: ConversationId | null): Transition =>
  (state) =>
    patchList(state, { selectedId: id, ...withSelection(state) });

export const setListView =
  (view: ListView): Transition =>
  (state) =>
    patchList(state, { view, frozenOrder: null, topId: null, ...withSelection(state), ...withoutSearch(state) });

/** The view that follows when one goes through all of them. */
export const viewAfter = (view: ListView): ListView => views[(views.indexOf(view) + 1) % views.length] ?? 'all';

export const startFilter: Transition = (state) => patchList(state, { isFiltering: true });

export const setFilter =
  (filter: string): Transition =>
  (state) =>
    filter === state.view.list.filter
      ? state
      : patchList(state, {
          filter,
          frozenOrder: null,
          topId: null,
          ...withSelection(state),
          ...(filter === '' ? withoutSearch(state) : {}),
        });

/** What was found in another view, or by a filter that is gone, is not to be shown. */
const withoutSearch = ({ view }: AppState): Partial<ListState> => (view.list.search ? { search: null } : {});

/** Ends the typing of the filter; the filter stays, and keys are commands of the list again. */
export const endFilterTyping: Transition = (state) => {
  if (state.view.list.isFiltering === undefined) return state;
  const { isFiltering: _, ...list } = state.view.list;
  return patchView(state, { list });
};

export const clearFilter: Transition = (state) => endFilterTyping(setFilter('')(state));
