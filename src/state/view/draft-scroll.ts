/** Where the wheel has scrolled the draft to, until the draft or the place of its cursor changes. */
import type { AppState } from '../model/app-state.ts';
import { selectComposer } from '../select/selectors.ts';
import type { Transition } from '../store.ts';
import { patchView } from './view.ts';

/** @param top the place in the draft with which the first row in sight begins */
export const scrollDraftTo =
  (top: number): Transition =>
  (state) =>
    selectDraftTop(state) === top ? state : patchView(state, { draftScroll: { draft: selectComposer(state), top } });

/** Null while the rows in sight are those around the cursor. */
export function selectDraftTop(state: AppState): number | null {
  const { draftScroll } = state.view;
  return draftScroll?.draft === selectComposer(state) ? draftScroll.top : null;
}
