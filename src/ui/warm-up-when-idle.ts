/** The rehearsal, while nobody waits for anything. */
import type { Panes } from '../view/panes.ts';
import { rehearse } from '../view/warm-up.ts';

interface Pauses {
  /** Until the start has done its own work. */
  readonly rest: () => Promise<void>;
  /** Between two threads drawn, for keys to come first. */
  readonly pause: () => Promise<void>;
}

/** `panes` are not those on the screen. */
export async function rehearseAtRest(panes: Panes, { rest, pause }: Pauses): Promise<void> {
  await rest();
  for (const _ of rehearse(panes)) await pause();
}
