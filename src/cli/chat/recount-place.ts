/** Keeps the scroll position of the open thread correct in a new width. */
import type { Transition } from '../../state/store.ts';
import { setScroll } from '../../state/view/thread-place.ts';
import type { Panes } from '../../view/panes.ts';

/**
 * Call after the size has changed. The line of the place then counts the rows of the new width, in which the next start
 * draws the thread, also when nobody scrolls before the program ends.
 */
export const recountPlace =
  (panes: Panes): Transition =>
  (state) => {
    const { openId } = state.view;
    const place = panes.place(state, panes.layout(state));
    return openId === null || place === null ? state : setScroll(openId, place)(state);
  };
