/** Carries out an incremental search without a store, a part in each step. */
import type { AppState } from '../../src/state/model/app-state.ts';
import type { IncrementalSearch, SearchClock } from '../../src/state/search/incremental-search.ts';

let time = 0;

/** Each part of a search takes longer than a step may. */
const partByPart: SearchClock = {
  monotonic: () => {
    time += 2;
    return time;
  },
  after: () => () => {},
  pause: async () => {},
};

/** The state once it wants nothing more of the search. */
export async function searched<Result extends { readonly isDone: boolean }>(
  search: IncrementalSearch<Result>,
  from: AppState,
  onPart: (result: Result) => void = () => {},
): Promise<AppState> {
  let state = from;
  while (search.wanted(state) !== null)
    for await (const result of search.results(state, partByPart)) {
      onPart(result);
      if (result.isDone) state = search.publish(result)(state);
    }
  return state;
}

/** The result of the first part, put into the state. */
export async function searchedOnePart<Result extends { readonly isDone: boolean }>(
  search: IncrementalSearch<Result>,
  state: AppState,
): Promise<AppState> {
  for await (const result of search.results(state, partByPart)) return search.publish(result)(state);
  return state;
}
