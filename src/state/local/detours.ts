/** Counts for the coach how often commands were run by a longer way than their key, until the user presses the key. */
import { withEntry } from '../collections/sharded-map.ts';
import type { AppState } from '../model/app-state.ts';
import { patchLocal } from './records.ts';

/** The detour with which the key is named. From then on nothing more is counted. */
export const lastDetour = 3;

const none: ReadonlySet<string> = new Set();

export const detoursOf = ({ local }: AppState, id: string): number => local.detours.get(id) ?? 0;

const withDetours = (state: AppState, id: string, count: number): AppState =>
  patchLocal(state, { detours: withEntry(state.local.detours, id, count) });

/** To be called when a command was run by a longer way than its key. Nothing is counted once the user has pressed the key. */
export const noteDetour =
  (id: string) =>
  (state: AppState): AppState => {
    const isKnown = state.screen.usedKeys?.has(id) === true;
    const count = isKnown ? lastDetour : Math.min(detoursOf(state, id) + 1, lastDetour);
    return count === detoursOf(state, id) ? state : withDetours(state, id, count);
  };

/** To be called when the key of the command was pressed, so that it needs no tip. Only the first time changes the state. */
export const noteKeyUse =
  (id: string) =>
  (state: AppState): AppState => {
    const { usedKeys = none } = state.screen;
    if (usedKeys.has(id)) return state;
    const noted = { ...state, screen: { ...state.screen, usedKeys: new Set([...usedKeys, id]) } };
    return detoursOf(state, id) === 0 ? noted : withDetours(noted, id, lastDetour);
  };
