/**
 * Chooses the rows of the draft that are in sight: those around the cursor, or those that the wheel has scrolled to.
 */
import type { AppState } from '../state/model/app-state.ts';
import { selectCursor } from '../state/select/selectors.ts';
import { selectDraftTop } from '../state/view/composer.ts';
import type { EditableLayout, EditableLine } from '../text/layout/wrap.ts';

export interface ComposerWindow {
  /** The rows in sight: `height` of them, or all where the draft has fewer. */
  lines(text: EditableLayout, state: AppState, height: number): readonly EditableLine[];
  /**
   * The place in the draft at which the first row begins when scrolled by `by` rows; null where all of it is in sight.
   */
  topAfter(text: EditableLayout, state: AppState, height: number, by: number): number | null;
}

export function createComposerWindow(): ComposerWindow {
  let firstStart = 0;
  const lines: ComposerWindow['lines'] = (text, state, height) => {
    const scrolledTo = selectDraftTop(state);
    const shown =
      scrolledTo === null
        ? linesAround(text, firstStart, selectCursor(state), height)
        : filled(text, linesFrom(text, text.rowAt(scrolledTo), height), height);
    firstStart = shown[0]?.start ?? 0;
    return shown;
  };
  return {
    lines,
    topAfter(text, state, height, by) {
      if (text.rowCount(height + 1) <= height) return null;
      let first = lines(text, state, height)[0] ?? null;
      for (let moved = 0; first !== null && moved < Math.abs(by); moved++) {
        const next: EditableLine | null = by < 0 ? text.rowBefore(first) : text.rowAfter(first);
        if (next === null) break;
        first = next;
      }
      return first === null ? null : (filled(text, linesFrom(text, first, height), height)[0]?.start ?? null);
    },
  };
}

/** Keeps the cursor in sight, and moves the rows no further than that needs. */
function linesAround(text: EditableLayout, first: number, cursor: number, height: number): readonly EditableLine[] {
  const at = text.rowAt(cursor);
  const start = text.rowAt(first);
  const lines = linesFrom(text, start.start <= at.start ? start : at, height);
  return filled(text, (lines.at(-1)?.start ?? 0) < at.start ? [at] : lines, height);
}

function linesFrom(text: EditableLayout, first: EditableLine, height: number): readonly EditableLine[] {
  const lines: EditableLine[] = [];
  for (let line: EditableLine | null = first; line !== null && lines.length < height; line = text.rowAfter(line))
    lines.push(line);
  return lines;
}

/** Puts rows from above before the lines where there are fewer than `height`. */
function filled(text: EditableLayout, lines: readonly EditableLine[], height: number): readonly EditableLine[] {
  const all = [...lines];
  while (all.length < height) {
    const above = all[0] === undefined ? null : text.rowBefore(all[0]);
    if (above === null) break;
    all.unshift(above);
  }
  return all;
}
