/** Runs the warm-up of the drawing code while the user is idle. */
import type { AppState } from '../../state/model/app-state.ts';
import type { Panes } from '../../view/panes.ts';
import { warmUp, warmUpSamples } from '../../view/warm-up.ts';

interface Idle {
  readonly wait: (ms: number) => Promise<unknown>;
  /** Whether a key was pressed so lately that another one may follow at once. */
  readonly isBusy: () => boolean;
}

/** The wait before the warm-up begins: by then the start has done its own work. */
const afterStartMs = 1_000;
/** The wait between two threads, in which a key can be handled. */
const betweenThreadsMs = 20;
/** The wait before it is checked again whether keys are still pressed. */
const whileBusyMs = 500;

/** @param panes panes that are not those of the screen */
export async function warmUpWhenIdle(panes: Panes, getState: () => AppState, { wait, isBusy }: Idle): Promise<void> {
  const rest = async (ms: number): Promise<void> => {
    await wait(ms);
    while (isBusy()) await wait(whileBusyMs);
  };
  await rest(afterStartMs);
  for (const _ of warmUp(panes, warmUpSamples(getState()))) await rest(betweenThreadsMs);
}
