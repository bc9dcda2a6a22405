/**
 * Prompts that search by name, the switcher (Ctrl-K) and "new conversation" (Ctrl-N): opening them, typing in them,
 * and their search as an incremental search.
 */

import { sameList } from '../collections/memo.ts';
import type { AppState, NamePrompt, NameSearchResult, SwitcherRow } from '../model/app-state.ts';
import type { Transition } from '../store.ts';
import { pushOverlay, replaceOverlay, topOverlay } from '../view/overlays.ts';
import type { IncrementalSearch } from './incremental-search.ts';
import { isSameQuery, isSameRow, queryOf, rowLimit, sourcesOf } from './switcher-row.ts';
import { beginNameSearch, continueNameSearch, type NameSearch } from './switcher-search.ts';

export const openNamePrompt =
  (kind: NamePrompt['kind']): Transition =>
  (state) => {
    const result = resultOf(beginNameSearch(state, queryOf({ kind, typed: '' })));
    return pushOverlay({ kind, typed: '', selected: 0, isMoved: false, result })(state);
  };

/** The prompt where it is the top overlay, else null. */
export function selectNamePrompt(state: AppState): NamePrompt | null {
  const top = topOverlay(state);
  return top?.kind === 'switcher' || top?.kind === 'new-conversation' ? top : null;
}

const resultOf = ({ sources, rows, count, isDone }: NameSearch): NameSearchResult => ({ sources, rows, count, isDone });

/** The first matches of the new text are shown at once. */
export const typeInNamePrompt =
  (typed: string): Transition =>
  (state) => {
    const top = selectNamePrompt(state);
    if (top === null) return state;
    const result = resultOf(beginNameSearch(state, queryOf({ ...top, typed }), top.result.rows));
    return replaceOverlay({ ...top, typed, selected: 0, isMoved: false, result })(state);
  };

function isDue(state: AppState): boolean {
  const top = selectNamePrompt(state);
  if (top === null || queryOf(top).scope === 'commands') return false;
  const { isDone, sources } = top.result;
  return !isDone || !sameList(Object.values(sources), Object.values(sourcesOf(state)));
}

/** With `followsComplete` the prompt shows the complete result of the search before, until this one is complete. */
interface PromptSearch extends NameSearch {
  readonly followsComplete?: boolean;
}

export const nameSearch: IncrementalSearch<PromptSearch> = {
  isDue,
  begin: (state) => {
    const top = selectNamePrompt(state);
    if (top === null || !isDue(state)) return null;
    return { ...beginNameSearch(state, queryOf(top), top.result.rows), followsComplete: top.result.isDone };
  },
  advance: continueNameSearch,
  isCurrent,
  shown: ({ followsComplete, rows }) => (followsComplete === true ? null : rows),
  publish,
};

function isCurrent(state: AppState, { query }: NameSearch): boolean {
  const top = selectNamePrompt(state);
  return top !== null && isSameQuery(queryOf(top), query);
}

/** Changes nothing when something else was typed meanwhile. A selection that the user moved stays on its row. */
function publish(search: NameSearch): Transition {
  return (state) => {
    const top = selectNamePrompt(state);
    if (top === null || !isCurrent(state, search)) return state;
    const chosen = top.isMoved ? top.result.rows[top.selected] : undefined;
    const result = withChosen(resultOf(search), chosen);
    return replaceOverlay({ ...top, result, selected: selectedIn(top, result, chosen) })(state);
  };
}

/** The index of the selected row among the new rows. */
function selectedIn(
  { isMoved, selected, result: before }: NamePrompt,
  { rows }: NameSearchResult,
  chosen?: SwitcherRow,
): number {
  if (!isMoved) return 0;
  // No row is selected but one of the choices behind the rows ("Contact with the id …"); it stays the same choice.
  if (chosen === undefined) return Math.max(0, rows.length + selected - before.rows.length);
  return Math.max(
    0,
    rows.findIndex((row) => isSameRow(row, chosen)),
  );
}

/** Better matches may have pushed the selected row out of the limited rows: it takes the place of the last one then. */
function withChosen(result: NameSearchResult, chosen: SwitcherRow | undefined): NameSearchResult {
  const { rows } = result;
  if (chosen === undefined || rows.length < rowLimit || rows.some((row) => isSameRow(row, chosen))) return result;
  return { ...result, rows: [...rows.slice(0, -1), chosen] };
}
