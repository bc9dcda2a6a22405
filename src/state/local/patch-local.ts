/** The one way in which `local` is changed: every transition of this room goes through it. */
import { isPatched } from '../collections/equal.ts';
import type { AppState, Local } from '../model/app-state.ts';

/** The same state when every field of the patch is already so. */
export const patchLocal = (state: AppState, patch: Partial<Local>): AppState =>
  isPatched(state.local, patch) ? state : { ...state, local: { ...state.local, ...patch } };
