/** Runs the warm-up of the drawing code while the user is idle. */
import type { AppState } from '../state/model/app-state.ts';
import type { Panes } from '../view/panes.ts';
import { warmUp, warmUpSamples } from '../view/warm-up.ts';

interface Idle {
  readonly wait: (ms: number) => Promise<unknown>;
  /** Whether a key may come at any moment. */
  readonly isBusy: () => boolean;
}

/** By then the start has done its own work. */
const afterStartMs = 1_000;
/** Between two threads, so that keys come first. */
const betweenThreadsMs = 20;
const whileBusyMs = 500;

/** @param panes panes that are not those of the screen */
export async function warmUpWhenIdle(panes: Panes, getState: () => AppState, { wait, isBusy }: Idle): Promise<void> {
  await wait(afterStartMs);
  while (isBusy()) await wait(whileBusyMs);
  for (const _ of warmUp(panes, warmUpSamples(getState()))) {
    await wait(betweenThreadsMs);
    while (isBusy()) await wait(whileBusyMs);
  }
}
