/** Goes on looking through all names for the "go to" overlay, a few at a time between keys. */
import { isLookDue, putLook, selectGoingTo } from '../state/go-to.ts';
import { beginLook, type Look, lookOn } from '../state/go-to-look.ts';
import type { AppStore } from '../state/store.ts';

export interface LookClock {
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
export function lookInTurns(store: AppStore, clock: LookClock): () => void {
  let isUnderWay = false;
  const goOn = async (): Promise<void> => {
    isUnderWay = true;
    while (isLookDue(store.getState())) {
      await clock.rest();
      await lookThrough(store, clock);
    }
    isUnderWay = false;
  };
  return store.subscribe((state, previous) => {
    const isSame = state.view.overlays === previous.view.overlays && state.cache === previous.cache;
    if (!isUnderWay && !(isSame && state.local === previous.local) && isLookDue(state)) void goOn();
  });
}

/** Until all is looked through, or something else is typed. */
async function lookThrough(store: AppStore, { pause, now }: LookClock): Promise<void> {
  const top = selectGoingTo(store.getState());
  if (top === null) return;
  // What stands there complete is replaced by what is complete.
  const isShownMeanwhile = !top.looked.isDone;
  let look = beginLook(store.getState(), top.query, top.looked.rows);
  let shown = look.rows;
  let shownAt = now();
  while (!look.isDone) {
    await pause();
    if (selectGoingTo(store.getState())?.query !== look.query) return;
    look = step(look, now);
    if (!isShownMeanwhile || look.rows === shown || now() - shownAt < showMs) continue;
    store.setState(putLook(look));
    shown = look.rows;
    shownAt = now();
  }
  store.setState(putLook(look));
}

function step(begun: Look, now: () => number): Look {
  const end = now() + stepMs;
  let look = begun;
  for (let parts = 0; parts < stepParts && !look.isDone; parts++) {
    look = lookOn(look);
    if (now() >= end) break;
  }
  return look;
}
