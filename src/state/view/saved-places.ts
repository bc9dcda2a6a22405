/** Stores where each thread is read and which view the list has, for the next start. */
import type { ConversationId } from '../../protocol/types.ts';
import { eachChange } from '../collections/sharded-map.ts';
import { patchLocal } from '../local/records.ts';
import type { AppState, Local, Place } from '../model/app-state.ts';
import type { Transition } from '../store.ts';
import { patchView } from './view.ts';

/** Restores, in a state that was read from the disk, what was on the screen when it was written. */
export const restorePlaces: Transition = (state) => {
  const { savedPlaces, listView } = state.local;
  const { list } = state.view;
  return patchView(state, { places: savedPlaces, list: listView === null ? list : { ...list, view: listView } });
};

/** @param before `view.places` when they were saved last */
export const savePlaces =
  (before: AppState['view']['places']): Transition =>
  (state) => {
    const { places, list } = state.view;
    let { savedPlaces } = state.local;
    if (places !== before) {
      const next = new Map(savedPlaces);
      eachChange(before, places, (id, place) => setOrDelete(next, id, place));
      savedPlaces = bounded(next);
    }
    const listView: Local['listView'] = list.view === 'all' ? null : list.view;
    return patchLocal(state, { savedPlaces, listView });
  };

/** The most places that are kept; those that were left longest ago are forgotten. */
export const mostPlaces = 1_000;

function bounded(places: Map<ConversationId, Place>): ReadonlyMap<ConversationId, Place> {
  for (const id of places.keys()) {
    if (places.size <= mostPlaces) break;
    places.delete(id);
  }
  return places;
}

/**
 * A thread at its newest message with nothing selected is not stored, as every thread begins there. How messages are shown is
 * stored with the place, whose line counts their rows; marks are not.
 */
function setOrDelete(places: Map<ConversationId, Place>, id: ConversationId, place: Place | undefined): void {
  const selectedId = place?.selectedId?.startsWith('op:') === true ? null : (place?.selectedId ?? null);
  const { scroll = { at: 'bottom' }, part, rawId, unfolded } = place ?? {};
  const isPending = scroll.at === 'message' && scroll.messageId.startsWith('op:');
  // The place is put after all others, as the newest.
  places.delete(id);
  if (isPending || (scroll.at === 'bottom' && selectedId === null)) return;
  places.set(id, { scroll, selectedId, ...(part && { part }), ...(rawId && { rawId }), ...(unfolded && { unfolded }) });
}
