/** Puts a picture into the state, where it takes rows of the thread, without losing sight of the selected message. */
import type { AppState } from '../../state/model/app-state.ts';
import type { Picture } from '../../state/model/pictures.ts';
import { setPicture } from '../../state/pictures/transitions.ts';
import { selectPlace } from '../../state/select/selectors.ts';
import type { Transition } from '../../state/store.ts';
import { setScroll } from '../../state/view/thread-place.ts';
import type { Panes } from '../../view/panes.ts';

/** The pictures of other messages may push the selected one beyond the edge, and with it what the user asked to see. */
export const showPicture =
  (panes: Panes, href: string, picture: Picture): Transition =>
  (before) => {
    const state = setPicture(href, picture)(before);
    const { openId } = before.view;
    if (openId === null || before.screen.focus !== 'messages') return state;
    const { selectedId, scroll } = selectPlace(before, openId);
    if (selectedId === null) return state;
    const revealed = (of: AppState) => panes.revealPlace(of, panes.layout(of), selectedId);
    return revealed(before) === scroll ? setScroll(openId, revealed(state))(state) : state;
  };
