/** The keys of a sequence that waits for more, while the footer shows what may follow. */
import type { AppState } from '../model/app-state.ts';
import { patchScreen } from './view.ts';

/** @param keys null when none wait */
export const setHeldKeys =
  (keys: string | null) =>
  (state: AppState): AppState => {
    if ((state.screen.heldKeys ?? null) === keys) return state;
    if (keys !== null) return patchScreen(state, { heldKeys: keys });
    const { heldKeys: _, ...screen } = state.screen;
    return { ...state, screen };
  };
