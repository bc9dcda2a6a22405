/** Moves the composer's cursor: by cluster, word, visual row and text; with `extend` the selection follows. */

import { layoutEditable } from '../../text/layout/wrap.ts';
import { nextBoundary, nextWord, previousBoundary, previousWord, wordAround } from '../../text/unicode/graphemes.ts';
import type { Draft } from '../model/app-state.ts';
import { selectionOf, snap } from './draft.ts';

export type Direction = -1 | 1;

/** Any move ends the run of typing, so that the next change is a separate undo step. */
function moveTo(draft: Draft, cursor: number, extend: boolean, goalColumn: number | null = null): Draft {
  const held = extend ? (draft.anchor ?? draft.cursor) : null;
  const anchor = held === cursor ? null : held;
  const isSame = cursor === draft.cursor && anchor === draft.anchor && goalColumn === draft.goalColumn;
  if (isSame && draft.lastChange === 'other') return draft;
  return { ...draft, cursor, anchor, goalColumn, lastChange: 'other' };
}

/** Without `extend`, a selection collapses to its end on that side. */
export function moveByCluster(draft: Draft, direction: Direction, extend = false): Draft {
  const selection = selectionOf(draft);
  if (selection !== null && !extend) return moveTo(draft, direction < 0 ? selection.start : selection.end, false);
  const step = direction < 0 ? previousBoundary : nextBoundary;
  return moveTo(draft, step(draft.text, draft.cursor), extend);
}

export function moveByWord(draft: Draft, direction: Direction, extend = false): Draft {
  const step = direction < 0 ? previousWord : nextWord;
  return moveTo(draft, step(draft.text, draft.cursor), extend);
}

/** Moves one visual row at a width of `columns` cells, keeping the column; past the first or last row, to the text's end. */
export function moveVertical(draft: Draft, direction: Direction, columns: number, extend = false): Draft {
  const layout = layoutEditable(draft.text, columns);
  const from = layout.rowAt(draft.cursor);
  const to = direction < 0 ? layout.rowBefore(from) : layout.rowAfter(from);
  if (to === null) return moveTo(draft, direction < 0 ? 0 : draft.text.length, extend);
  const goal = draft.goalColumn ?? layout.columnOf(from, draft.cursor);
  return moveTo(draft, layout.offsetIn(to, goal), extend, goal);
}

/** Moves to the start of the visual row; from there, to the start of the text. */
export function moveHome(draft: Draft, columns: number, extend = false): Draft {
  const { start } = layoutEditable(draft.text, columns).rowAt(draft.cursor);
  return moveTo(draft, draft.cursor === start ? 0 : start, extend);
}

/** Moves to the end of the visual row; from there, to the end of the text. */
export function moveEnd(draft: Draft, columns: number, extend = false): Draft {
  const { end, isSoft } = layoutEditable(draft.text, columns).rowAt(draft.cursor);
  // The end of a soft-wrapped row is the start of the next one, so the last place on it is before its last cluster.
  const last = isSoft ? previousBoundary(draft.text, end) : end;
  return moveTo(draft, draft.cursor === last ? draft.text.length : last, extend);
}

export const moveToStart = (draft: Draft, extend = false): Draft => moveTo(draft, 0, extend);
export const moveToEnd = (draft: Draft, extend = false): Draft => moveTo(draft, draft.text.length, extend);
/** Moves to an offset that was clicked. */
export const moveToOffset = (draft: Draft, offset: number, extend = false): Draft =>
  moveTo(draft, snap(draft.text, offset), extend);
/** Selects the word at an offset. */
export function selectWordAt(draft: Draft, offset: number): Draft {
  const { start, end } = wordAround(draft.text, offset);
  return moveTo(moveTo(draft, start, false), end, true);
}
export const selectAllText = (draft: Draft): Draft => moveToEnd(moveToStart(draft), true);
export const clearSelection = (draft: Draft): Draft => moveTo(draft, draft.cursor, false);
