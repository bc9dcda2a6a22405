/** Looking through a long list for something, a part at a time, so that no key waits for a hundred thousand names. */
import type { AppState } from '../model/app-state.ts';
import type { Transition } from '../store.ts';

/** How one kind of look is begun, gone on with and shown; all of it pure. */
export interface Search<Look extends { readonly isDone: boolean }> {
  /** There are names that were not looked at, or something has changed since. */
  isDue(state: AppState): boolean;
  /** null: it is not due. */
  begin(state: AppState): Look | null;
  /** One part more. */
  on(look: Look): Look;
  /** What it looks for is still asked for. */
  isAsked(state: AppState, look: Look): boolean;
  /** What is shown of it before it is done; the same object while there is nothing new to show. */
  shown(look: Look): unknown;
  put(look: Look): Transition;
}

/** Names of one part. */
export const partNames = 100;
