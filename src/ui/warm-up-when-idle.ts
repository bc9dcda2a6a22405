/** Runs the warm-up of the drawing code while the user is idle. */
import type { AppState } from '../state/model/app-state.ts';
import type { Panes } from '../view/panes.ts';
import { warmUp, warmUpSamples } from '../view/warm-up.ts';

interface Pauses {
  /** Waits until the start has done its own work. */
  readonly rest: () => Promise<void>;
  /** Waits between two threads, so that keys come first. */
  readonly pause: () => Promise<void>;
}

/** @param panes panes that are not those of the screen */
export async function warmUpWhenIdle(panes: Panes, getState: () => AppState, { rest, pause }: Pauses): Promise<void> {
  await rest();
  for (const _ of warmUp(panes, warmUpSamples(getState()))) await pause();
}
