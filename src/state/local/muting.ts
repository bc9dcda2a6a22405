/** Muted conversations. The service knows only muted and not muted: when one is to be unmuted again is kept here. */
import type { Conversation, ConversationId, Millis } from '../../protocol/types.ts';
import { clockTime, dayLabel } from '../../text/time.ts';
import { withEntry, withoutEntry } from '../collections/sharded-map.ts';
import type { AppState } from '../model/app-state.ts';
import type { Transition } from '../store.ts';
import { patchLocal } from './records.ts';

/** @param at when it is to be unmuted; null where it stays muted until somebody unmutes it */
export const setMutedUntil =
  (id: ConversationId, at: Millis | null): Transition =>
  (state) => {
    const { mutedUntil } = state.local;
    if ((mutedUntil.get(id) ?? null) === at) return state;
    return patchLocal(state, {
      mutedUntil: at === null ? withoutEntry(mutedUntil, id) : withEntry(mutedUntil, id, at),
    });
  };

/** The next moment after `now` at which one is to be unmuted; null for none. */
export function nextUnmute({ local }: AppState, now: Millis): Millis | null {
  let next: Millis | null = null;
  for (const at of local.mutedUntil.values()) if (at > now && (next === null || at < next)) next = at;
  return next;
}

/** `15:02`, or `15:02 on Friday 27 November`. */
export function momentText(at: Millis, now: Millis): string {
  const day = dayLabel(at, now);
  return day === 'Today' ? clockTime(at) : `${clockTime(at)} on ${day}`;
}

/** Muted and archived conversations do not notify, except by a keyword, and do not count in totals of unread. */
export const isMutedOrArchived = ({ isMuted, archivedAt }: Conversation): boolean => isMuted || archivedAt !== null;
