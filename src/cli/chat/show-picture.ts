/** Puts a picture into the state, where it takes rows of the thread, without losing sight of the selected message. */
import type { Picture } from '../../state/model/pictures.ts';
import { setPicture } from '../../state/pictures/transitions.ts';
import type { Transition } from '../../state/store.ts';
import type { Panes } from '../../view/panes.ts';
import { keepSelected } from './keep-selected.ts';

/** The pictures of other messages may push the selected one beyond the edge, and with it what the user asked to see. */
export const showPicture =
  (panes: Panes, href: string, picture: Picture): Transition =>
  (before) =>
    keepSelected(panes, before)(setPicture(href, picture)(before));
