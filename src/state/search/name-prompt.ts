/** Prompts that search by name (the switcher, "new conversation", where to forward): opening, typing, searching. */

import { sameList } from '../collections/memo.ts';
import type { AppState, NamePrompt, NameSearchResult, Overlay, SwitcherRow } from '../model/app-state.ts';
import type { Forwarding } from '../model/overlay.ts';
import type { Transition } from '../store.ts';
import { pushOverlay, replaceOverlay, topOverlay } from '../view/overlays.ts';
import { type IncrementalSearch, inSteps } from './incremental-search.ts';
import { isSameRow, queryOf, rowLimit, sourcesOf } from './switcher-row.ts';
import { searchLikelyNames, searchNames } from './switcher-search.ts';

export const openNamePrompt =
  (kind: NamePrompt['kind'], forwarding: Forwarding | null = null): Transition =>
  (state) => {
    const result = searchLikelyNames(state, queryOf({ kind, typed: '' }));
    return pushOverlay({ kind, typed: '', selected: 0, isMoved: false, result, forwarding })(state);
  };

const isNamePrompt = (overlay: Overlay): overlay is Overlay & NamePrompt =>
  overlay.kind === 'switcher' || overlay.kind === 'new-conversation' || overlay.kind === 'forward';

/** The prompt where it is the top overlay, else null. */
export function selectNamePrompt(state: AppState): NamePrompt | null {
  const top = topOverlay(state);
  return top !== null && isNamePrompt(top) ? top : null;
}

/**
 * The first matches of the new text are shown at once. Blanks alone ask for nothing else: who presses Space to choose the
 * selected row must not find another one selected, which Enter would take.
 */
export const typeInNamePrompt =
  (typed: string): Transition =>
  (state) => {
    const top = selectNamePrompt(state);
    if (top === null) return state;
    if (typed.trim() === '' && top.typed.trim() === '') return replaceOverlay({ ...top, typed })(state);
    const result = searchLikelyNames(state, queryOf({ ...top, typed }), top.result.rows);
    return replaceOverlay({ ...top, typed, selected: 0, isMoved: false, result })(state);
  };

export const nameSearch: IncrementalSearch<NameSearchResult> = {
  wanted(state) {
    const top = selectNamePrompt(state);
    if (top === null || queryOf(top).scope === 'commands') return null;
    const { isDone, sources } = top.result;
    const isComplete = isDone && sameList(Object.values(sources), Object.values(sourcesOf(state)));
    return isComplete ? null : `${top.kind} ${top.typed}`;
  },
  async *results(state, clock) {
    const top = selectNamePrompt(state);
    if (top !== null) yield* inSteps(searchNames(state, queryOf(top), top.result.rows), clock);
  },
  publish,
};

/**
 * A complete result stays until the next one is complete too, and its selection stays on its row, as Enter means what is
 * shown. Before that, only a selection that the user moved does.
 */
function publish(found: NameSearchResult): Transition {
  return (state) => {
    const top = selectNamePrompt(state);
    if (top === null) return state;
    const { isDone, rows } = top.result;
    if (!found.isDone && (isDone || rows === found.rows)) return state;
    const isKept = top.isMoved || (isDone && rows.length > 0);
    const chosen = isKept ? rows[top.selected] : undefined;
    const result = withChosen(found, chosen);
    const selected = isKept ? selectedIn(top, result, chosen) : 0;
    return replaceOverlay({ ...top, result, selected })(state);
  };
}

/**
 * The index of the selected row among the new rows. Where a message is forwarded, none is selected after the row is gone: Enter
 * would send it to somebody else.
 */
function selectedIn(
  { kind, selected, result: before }: NamePrompt,
  { rows, isDone }: NameSearchResult,
  chosen?: SwitcherRow,
): number {
  if (selected < 0) return selected;
  // No row is selected but one of the choices after the rows ("Contact with the id …"); it stays the same choice.
  if (chosen === undefined) return Math.max(0, rows.length + selected - before.rows.length);
  const index = rows.findIndex((row) => isSameRow(row, chosen));
  return kind === 'forward' && isDone ? index : Math.max(0, index);
}

/** Better matches may have pushed the selected row out of the limited rows: it takes the place of the last one then. */
function withChosen(result: NameSearchResult, chosen: SwitcherRow | undefined): NameSearchResult {
  const { rows } = result;
  if (chosen === undefined || rows.length < rowLimit || rows.some((row) => isSameRow(row, chosen))) return result;
  return { ...result, rows: [...rows.slice(0, -1), chosen] };
}
