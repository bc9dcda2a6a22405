/** Recognises an edit that met a text that somebody else had changed. */
import type { Op } from '../model/app-state.ts';

/** The evidence of an edit that met another text than the one that was opened. */
export const changedMeanwhile = 'changed meanwhile';

/** Whether an edit met a text that somebody else has changed: the user chooses one of the texts, or both (R-PUT-1). */
export const isConflict = ({ state, attempts }: Op): boolean =>
  state === 'failed' && attempts.at(-1)?.evidence === changedMeanwhile;
