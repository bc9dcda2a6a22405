/** Goes on looking through all names between keys, a few at a time: for the filter of the list and for the pickers. */
import type { IncrementalSearch } from '../state/search/incremental-search.ts';
import type { AppStore } from '../state/store.ts';

export interface SearchClock {
  /** A turn of the loop. */
  readonly pause: () => Promise<void>;
  /** Long enough for a key to be painted first. */
  readonly rest: () => Promise<void>;
  /** In milliseconds. */
  readonly now: () => number;
}

/** Together a step; whichever is reached first. */
const stepParts = 10;
const stepMs = 1.5;
/** Between two pictures of what has been found so far. */
const showMs = 60;

/** @returns stops listening */
export function runInTimeSlices<Look extends { readonly isDone: boolean }>(
  store: AppStore,
  search: IncrementalSearch<Look>,
  clock: SearchClock,
): () => void {
  let isUnderWay = false;
  const goOn = async (): Promise<void> => {
    isUnderWay = true;
    while (search.isDue(store.getState())) {
      await clock.rest();
      await lookThrough(store, search, clock);
    }
    isUnderWay = false;
  };
  return store.subscribe((state) => {
    if (!isUnderWay && search.isDue(state)) void goOn();
  });
}

/** Until all is looked through, or something else is asked for. */
async function lookThrough<Look extends { readonly isDone: boolean }>(
  store: AppStore,
  search: IncrementalSearch<Look>,
  { pause, now }: SearchClock,
): Promise<void> {
  const begun = search.begin(store.getState());
  if (begun === null) return;
  let look = begun;
  let shown = search.shown(look);
  let shownAt = now();
  while (!look.isDone) {
    await pause();
    if (!search.isCurrent(store.getState(), look)) return;
    look = step(look, search, now);
    if (search.shown(look) === shown || now() - shownAt < showMs) continue;
    store.setState(search.publish(look));
    shown = search.shown(look);
    shownAt = now();
  }
  store.setState(search.publish(look));
}

function step<Look extends { readonly isDone: boolean }>(
  begun: Look,
  search: IncrementalSearch<Look>,
  now: () => number,
): Look {
  const end = now() + stepMs;
  let look = begun;
  for (let parts = 0; parts < stepParts && !look.isDone; parts++) {
    look = search.advance(look);
    if (now() >= end) break;
  }
  return look;
}
