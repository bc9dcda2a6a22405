/** How many rows a conversation has in the list. */
import type { AppState } from '../model/app-state.ts';
import type { Density } from '../model/settings.ts';
import type { Transition } from '../store.ts';
import { patchLocal } from './records.ts';

export const densities: readonly Density[] = ['compact', 'normal', 'comfortable'];

export const selectDensity = ({ local, settings }: AppState): Density => local.density ?? settings.density;

export const rowsOfDensity = (density: Density): number => densities.indexOf(density) + 1;

/** A density that equals the setting is not stored, so that a later change of the setting counts. */
export const setDensity =
  (density: Density): Transition =>
  (state) =>
    patchLocal(state, { density: density === state.settings.density ? null : density });
