/** The interface of a search through a long list of names that is done in parts, so that no key press waits for it. */
import type { AppState } from '../model/app-state.ts';
import type { Transition } from '../store.ts';

/** `Run`: a search under way. All functions are pure; `ui/time-sliced-search` calls them between key presses. */
export interface IncrementalSearch<Run extends { readonly isDone: boolean }> {
  /** There are names that have not been searched, or they have changed since. */
  isDue(state: AppState): boolean;
  /** null when no search is due. */
  begin(state: AppState): Run | null;
  /** Searches one more part. */
  advance(run: Run): Run;
  /** The state still asks for what the run searches. */
  isCurrent(state: AppState, run: Run): boolean;
  /** What is shown of the run before it is done; the same object while there is nothing new to show. */
  shown(run: Run): unknown;
  /** Puts what the run has found into the state. */
  publish(run: Run): Transition;
}

/** Size of one part, in names. */
export const namesPerPart = 100;
