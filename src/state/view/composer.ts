/**
 * Transitions of what the composer shows beside the draft: what it offers for the word that is being typed, and how far
 * the draft is scrolled.
 */
import { isPatched } from '../collections/equal.ts';
import type { AppState, Completion } from '../model/app-state.ts';
import { selectComposer } from '../select/selectors.ts';
import type { Transition } from '../store.ts';
import { patchView } from './view.ts';

/**
 * The completion of the word at the cursor, also one in which nothing was found; null when it was closed, or when the
 * draft, the cursor or the open conversation are others than it was made for.
 */
export function completionHere(state: AppState): Completion | null {
  const held = state.view.completion ?? null;
  if (held === null || held.isClosed || held.conversationId !== state.view.openId) return null;
  if (state.screen.focus !== 'composer' || state.screen.overlays.length > 0) return null;
  const { text, cursor, anchor } = selectComposer(state);
  const isThere =
    anchor === null && cursor === held.start + held.typed.length && text.startsWith(held.typed, held.start);
  return isThere ? held : null;
}

/** The completion that has the keys: it has rows, or rows are still looked for. */
export function heldCompletion(state: AppState): Completion | null {
  const held = completionHere(state);
  return held === null || (held.isDone && held.rows.length === 0) ? null : held;
}

/** The completion that is shown: it has rows. */
export function selectCompletion(state: AppState): Completion | null {
  const held = heldCompletion(state);
  return held === null || held.rows.length === 0 ? null : held;
}

export const setCompletion =
  (completion: Completion | null): Transition =>
  (state) =>
    (state.view.completion ?? null) === completion ? state : patchView(state, { completion });

/** Changes the one that is held for the word at the cursor. */
export const patchCompletion =
  (patch: Partial<Completion>): Transition =>
  (state) => {
    const held = completionHere(state);
    return held === null || isPatched(held, patch) ? state : patchView(state, { completion: { ...held, ...patch } });
  };

/** Down from nothing is the first row, up from nothing the last; up from the first row chooses none. */
export const stepCompletion =
  (by: -1 | 1): Transition =>
  (state) => {
    const held = selectCompletion(state);
    if (held === null) return state;
    const { rows, selected } = held;
    const last = rows.length - 1;
    const from = selected ?? (by === 1 ? -1 : rows.length);
    const next = Math.min(from + by, last);
    return patchCompletion({ selected: next < 0 ? null : next })(state);
  };

/** @param top the place in the draft with which the first row in sight begins */
export const scrollDraftTo =
  (top: number): Transition =>
  (state) =>
    selectDraftTop(state) === top ? state : patchView(state, { draftScroll: { draft: selectComposer(state), top } });

/**
 * Where the wheel has scrolled the draft to; null while the rows in sight are those around the cursor, as they are again once
 * the draft or the place of its cursor changes.
 */
export function selectDraftTop(state: AppState): number | null {
  const { draftScroll } = state.view;
  return draftScroll?.draft === selectComposer(state) ? draftScroll.top : null;
}
