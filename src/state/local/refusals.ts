/**
 * Remembers for a while why changes without a text of the user were refused: such a change leaves the outbox, and the
 * command that had put it there may be another process than the one that sent it.
 */
import type { Refusal } from '../model/local-records.ts';
import type { Transition } from '../store.ts';
import { patchLocal } from './records.ts';

/** Of changes that were refused before, no command waits any more. */
const mostKept = 50;

/** @param uuid of the op */
export const noteRefusal =
  (uuid: string, refusal: Refusal): Transition =>
  (state) => {
    const others = [...state.local.refusals].filter(([other]) => other !== uuid).sort(([, a], [, b]) => a.at - b.at);
    return patchLocal(state, { refusals: new Map([...others.slice(1 - mostKept), [uuid, refusal]]) });
  };
