/** The rehearsal, while nobody waits for anything. */
import type { Panes } from '../view/panes.ts';
import { rehearse } from '../view/warm-up.ts';
import type { SearchClock } from './time-sliced-search.ts';

/** `panes` are not those on the screen. */
export async function rehearseAtRest(
  panes: Panes,
  { rest, pause }: Pick<SearchClock, 'rest' | 'pause'>,
): Promise<void> {
  await rest();
  for (const _ of rehearse(panes)) await pause();
}
