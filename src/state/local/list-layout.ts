/** How many rows a conversation has in the list, and the width that the user has given to the list. */
import type { AppState } from '../model/app-state.ts';
import type { Density } from '../model/settings.ts';
import type { Transition } from '../store.ts';
import { patchLocal } from './records.ts';

export const densities: readonly Density[] = ['compact', 'normal', 'comfortable'];

export const selectDensity = ({ local: { density }, settings }: AppState): Density =>
  density?.over === settings.density ? density.chosen : settings.density;

export const rowsOfDensity = (density: Density): number => densities.indexOf(density) + 1;

/** A density that equals the setting is not stored, so that a later change of the setting counts. */
export const setDensity =
  (chosen: Density): Transition =>
  (state) => {
    const over = state.settings.density;
    return patchLocal(state, { density: chosen === over ? null : { chosen, over } });
  };

/** Names and times are hardly readable in fewer columns, and a wider list than this has nothing more to show. */
const narrowest = 20;
const widest = 100;

export const setListWidth =
  (columns: number): Transition =>
  (state) =>
    patchLocal(state, { listWidth: Math.max(narrowest, Math.min(widest, Math.round(columns))) });
