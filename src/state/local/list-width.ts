/** The width that the user has given to the list. */
import type { Transition } from '../store.ts';
import { patchLocal } from './records.ts';

/** Names and times are hardly readable in fewer columns, and a wider list than this has nothing more to show. */
const narrowest = 20;
const widest = 100;

export const setListWidth =
  (columns: number): Transition =>
  (state) =>
    patchLocal(state, { listWidth: Math.max(narrowest, Math.min(widest, Math.round(columns))) });
