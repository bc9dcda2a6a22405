/** Transitions of the pictures that were fetched, and of the user's permissions to fetch them. */
import { withEntry, withoutEntry } from '../collections/sharded-map.ts';
import { patchLocal } from '../local/records.ts';
import type { AppState } from '../model/app-state.ts';
import type { Picture } from '../model/pictures.ts';
import type { Transition } from '../store.ts';

/** The most pictures that are kept: more than any screen shows. Each takes a few kilobytes. */
const keptPictures = 300;
/** The characters that the sequences of printed pictures may take together; an older one is made again when it is shown. */
const mostSequences = 16_000_000;

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
    return withView(state, { pictures: withinSequences(pictures) });
  };

/** The newest pictures keep their sequences. */
function withinSequences(pictures: ReadonlyMap<string, Picture>): ReadonlyMap<string, Picture> {
  let room = mostSequences;
  const kept = [...pictures].reverse().map(([href, picture]): readonly [string, Picture] => {
    if (picture.status !== 'shown' || picture.inTerminal === null || 'id' in picture.inTerminal) return [href, picture];
    room -= picture.inTerminal.sequence.length;
    return room >= 0 ? [href, picture] : [href, lost(picture)];
  });
  return room >= 0 ? pictures : new Map(kept.reverse());
}

const lost = (picture: Extract<Picture, { status: 'shown' }>): Picture => ({
  ...picture,
  inTerminal: null,
  isLost: true,
});

/** To be applied when the terminal has lost its pictures, as after a suspension: characters are drawn until they are back. */
export const loseTerminalPictures: Transition = (state) => lose(state, (picture) => picture.inTerminal !== null);

/** To be applied when the terminal has reported how it draws pictures: those that came before are decoded for it. */
export const decodePicturesAgain: Transition = (state) => lose(state, (picture) => picture.isLost !== true);

function lose(state: AppState, isMeant: (picture: Extract<Picture, { status: 'shown' }>) => boolean): AppState {
  const pictures = [...(state.view.pictures ?? [])].map(([href, picture]): readonly [string, Picture] =>
    picture.status === 'shown' && isMeant(picture) ? [href, lost(picture)] : [href, picture],
  );
  return pictures.some(([href, picture]) => picture !== state.view.pictures?.get(href))
    ? withView(state, { pictures: new Map(pictures) })
    : state;
}

/** From now on pictures of the host are fetched without asking, also after a restart. */
export const allowPictureHost =
  (host: string): Transition =>
  (state) =>
    patchLocal(state, { pictureHosts: withEntry(state.local.pictureHosts, host, true) });

/** Takes the permission back: pictures of the host that are not here yet are asked about again. */
export const forgetPictureHost =
  (host: string): Transition =>
  (state) =>
    patchLocal(state, { pictureHosts: withoutEntry(state.local.pictureHosts, host) });

/** Allows these addresses until the program ends. */
export const allowPicturesOnce =
  (hrefs: readonly string[]): Transition =>
  (state) =>
    withView(state, { picturesOnce: new Set([...(state.view.picturesOnce ?? []), ...hrefs]) });

const withView = (state: AppState, patch: Partial<AppState['view']>): AppState => ({
  ...state,
  view: { ...state.view, ...patch },
});
