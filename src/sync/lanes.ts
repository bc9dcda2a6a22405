/** Which ops may start: the order within a conversation, as a pure function (reliability.md G4). */
import { conversationOf } from '../state/cache.ts';
import { holdsBack } from '../state/outbox.ts';
import type { Op } from '../state/state.ts';

export interface Lanes {
  /** The first op of each conversation that may start now. */
  readonly ready: readonly Op[];
  /** When the next one may; null = not before something else happens. */
  readonly nextAt: number | null;
}

/**
 * A send waits for every earlier send of its conversation that is queued, under way or unsure, but passes an unsure one
 * where the user allows it; other writes wait only for earlier ones to the same thing, so that an unsure message does not
 * hold back a mute. Failed ops hold nothing.
 */
export function nextInLanes(
  outbox: readonly Op[],
  now: number,
  dueAt: (op: Op) => number,
  isBusy: (lane: string) => boolean,
): Lanes {
  const ready: Op[] = [];
  const held = new Set<string>();
  const taken = new Set<string>();
  let nextAt: number | null = null;
  for (const op of outbox) {
    if (!holdsBack(op)) continue;
    const lane = laneOf(op);
    const thing = thingOf(op, lane);
    const isFree = op.state === 'queued' && !held.has(thing);
    held.add(thing);
    if (!isFree || taken.has(lane) || isBusy(lane)) continue;
    const at = dueAt(op);
    if (at > now) nextAt = nextAt === null ? at : Math.min(nextAt, at);
    else {
      ready.push(op);
      taken.add(lane);
    }
  }
  return { ready, nextAt };
}

/** The later one waits for the earlier one. */
export const isSameThing = (a: Op, b: Op): boolean => thingOf(a, laneOf(a)) === thingOf(b, laneOf(b));

/** Ops of one lane are carried out one at a time. */
export const laneOf = (op: Op): string => conversationOf(op) ?? `create ${op.uuid}`;

/** Two writes to the same thing keep their order. */
function thingOf({ action }: Op, lane: string): string {
  switch (action.kind) {
    case 'message.edit':
    case 'message.react':
    case 'message.delete':
      return `message ${lane} ${action.messageId}`;
    case 'message.send':
    case 'conversation.delete':
    case 'conversation.create':
    case 'conversation.pin':
    case 'conversation.mute':
    case 'conversation.archive':
    case 'conversation.pinMessage':
      return `${action.kind} ${lane}`;
  }
}
