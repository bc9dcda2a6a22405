/** Keeps the selected message in sight when the rows around it become more, or the room smaller. */
import type { AppState } from '../../state/model/app-state.ts';
import { selectPlace } from '../../state/select/selectors.ts';
import type { AppStore, Transition } from '../../state/store.ts';
import { setScroll } from '../../state/view/thread-place.ts';
import type { Panes } from '../../view/panes.ts';

/**
 * The next key acts on the selected message, which the user would not see otherwise. One that was out of sight already stays
 * there.
 * @param before the state before the change
 */
export const keepSelected =
  (panes: Panes, before: AppState): Transition =>
  (state) => {
    const { openId } = before.view;
    // A screen that is too small shows no thread.
    if (openId === null || before.screen.focus !== 'messages' || panes.layout(state).thread === null) return state;
    const { selectedId, scroll } = selectPlace(before, openId);
    if (selectedId === null || selectPlace(state, openId).selectedId !== selectedId) return state;
    const revealed = (of: AppState) => panes.revealPlace(of, panes.layout(of), selectedId);
    return revealed(before) === scroll ? setScroll(openId, revealed(state))(state) : state;
  };

/** A notice of several rows takes them from the thread. */
export function keepSelectedAboveNotices(store: AppStore, panes: () => Panes): void {
  store.subscribe((state, previous) => {
    if (state.screen.notices !== previous.screen.notices) store.setState(keepSelected(panes(), previous));
  });
}
