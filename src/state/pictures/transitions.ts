/** Transitions of the pictures that were fetched, and of the user's word on which may be. */
import { withEntry } from '../collections/sharded-map.ts';
import { patchLocal } from '../local/records.ts';
import type { AppState } from '../model/app-state.ts';
import type { Picture } from '../model/pictures.ts';
import type { Transition } from '../store.ts';

/** More than any screen shows; each takes a few kilobytes. */
const keptPictures = 300;

export const setPicture =
  (href: string, picture: Picture): Transition =>
  (state) => {
    const pictures = new Map(state.view.pictures);
    pictures.delete(href);
    pictures.set(href, picture);
    for (const oldest of pictures.keys()) {
      if (pictures.size <= keptPictures) break;
      pictures.delete(oldest);
    }
    return withView(state, { pictures });
  };

/** The terminal has forgotten its pictures, as when the program was suspended: characters are drawn until they are back. */
export const loseTerminalPictures: Transition = (state) => {
  const pictures = [...(state.view.pictures ?? [])].map(([href, picture]): readonly [string, Picture] =>
    picture.status === 'shown' && picture.inTerminal !== null
      ? [href, { ...picture, inTerminal: null, isLost: true }]
      : [href, picture],
  );
  return pictures.some(([href, picture]) => picture !== state.view.pictures?.get(href))
    ? withView(state, { pictures: new Map(pictures) })
    : state;
};

/** From now on pictures of the host are fetched without asking, also after a restart. */
export const allowPictureHost =
  (host: string): Transition =>
  (state) =>
    patchLocal(state, { pictureHosts: withEntry(state.local.pictureHosts, host, true) });

/** Allows these addresses until the program ends. */
export const allowPicturesOnce =
  (hrefs: readonly string[]): Transition =>
  (state) =>
    withView(state, { picturesOnce: new Set([...(state.view.picturesOnce ?? []), ...hrefs]) });

const withView = (state: AppState, patch: Partial<AppState['view']>): AppState => ({
  ...state,
  view: { ...state.view, ...patch },
});
