/** Carries out searches in steps, so that no key waits. Each begins and ends as the state asks for it. */
import type { AppState } from '../model/app-state.ts';
import type { AppStore, Transition } from '../store.ts';

export interface SearchClock {
  monotonic(): number;
  /** Calls back once after `delayMs`; the returned function cancels. */
  after(delayMs: number, callback: () => void): () => void;
  /** Lets other events, such as key presses, be handled first. */
  pause(): Promise<void>;
}

export interface IncrementalSearch<Result extends { readonly isDone: boolean }> {
  /** What the state asks for and has no complete result of; null when there is nothing to search. */
  wanted(state: AppState): string | null;
  /** What has been found after each step; the last result is complete. */
  results(state: AppState, clock: SearchClock): AsyncIterable<Result>;
  /** Puts a result into a state that still wants it. */
  publish(result: Result): Transition;
}

/** Size of one part of a search, in names. */
export const namesPerPart = 100;

const stepMs = 1.5;
/** A search begins when something else has not been wanted for this long: longer than from one letter to the next. */
const restMs = 120;
/** Time between two results that are published before the search is done. */
const publishEveryMs = 100;

/** Goes through the parts of a search in steps of about a millisecond. Yields what was found after each step. */
export async function* inSteps<Result>(parts: Iterator<Result, Result>, clock: SearchClock): AsyncGenerator<Result> {
  for (;;) {
    await clock.pause();
    const end = clock.monotonic() + stepMs;
    let part = parts.next();
    while (part.done !== true && clock.monotonic() < end) part = parts.next();
    yield part.value;
    if (part.done === true) return;
  }
}

/**
 * Carries out a search whenever the state wants it, and ends it within a step when the state wants another one.
 *
 * @returns stops it
 */
export function followSearch<Result extends { readonly isDone: boolean }>(
  store: AppStore,
  search: IncrementalSearch<Result>,
  clock: SearchClock,
): () => void {
  let current: { readonly wanted: string } | null = null;
  let cancel = (): void => {};
  const run = async (own: typeof current): Promise<void> => {
    let publishedAt = clock.monotonic();
    for await (const result of search.results(store.getState(), clock)) {
      if (current !== own) return;
      if (!result.isDone && clock.monotonic() - publishedAt < publishEveryMs) continue;
      publishedAt = clock.monotonic();
      store.setState(search.publish(result));
    }
    if (current !== own) return;
    // The names may have changed while they were searched.
    current = null;
    follow(store.getState());
  };
  const follow = (state: AppState): void => {
    const wanted = search.wanted(state);
    if (wanted === (current?.wanted ?? null)) return;
    cancel();
    const own = wanted === null ? null : { wanted };
    current = own;
    if (own !== null) cancel = clock.after(restMs, () => void run(own));
  };
  const unsubscribe = store.subscribe(follow);
  return () => {
    unsubscribe();
    cancel();
    current = null;
  };
}
