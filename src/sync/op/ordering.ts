/** Which ops may start: the order within a conversation, as a pure function (R-SEND-4). */
import { holdsBack } from '../../state/local/outbox.ts';
import type { Op } from '../../state/model/app-state.ts';

export interface ReadyOps {
  /** The first op of each lane that may start now. */
  readonly ready: readonly Op[];
  /** When the next one may; null = not before something else happens. */
  readonly nextAt: number | null;
}

/**
 * A send waits for every earlier send of its conversation that is queued, under way or unsure, but passes an unsure one
 * where the user allows it; other writes wait only for earlier ones to the same thing, so that an unsure message does not
 * hold back a mute, and the look at what became of an edit holds back no message. What deletes a conversation comes after
 * all changes in it. Failed ops hold nothing.
 */
export function nextReady(
  outbox: readonly Op[],
  now: number,
  dueAt: (op: Op) => number,
  isBusy: (lane: string) => boolean,
): ReadyOps {
  const ready: Op[] = [];
  const held = new Set<string>();
  const changed = new Set<string>();
  const taken = new Set<string>();
  let nextAt: number | null = null;
  for (const op of outbox) {
    if (!holdsBack(op)) continue;
    const lane = queueKey(op);
    const thing = targetKey(op);
    const whole = conversationKey(op);
    const isFree = op.state === 'queued' && !held.has(thing) && !(isEnd(op) && changed.has(whole));
    held.add(thing);
    if (lane !== whole) changed.add(whole);
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
export const hasSameTarget = (a: Op, b: Op): boolean => targetKey(a) === targetKey(b);

/**
 * Ops of one lane are carried out one at a time. A conversation has three: for what is sent, for changes of its messages,
 * of which one may teach what the next one stakes, and for its settings, which a server may know only all at once.
 */
export function queueKey(op: Op): string {
  const whole = conversationKey(op);
  switch (op.action.kind) {
    case 'message.edit':
    case 'message.react':
    case 'message.delete':
      return `changes ${whole}`;
    case 'conversation.pin':
    case 'conversation.mute':
    case 'conversation.archive':
    case 'conversation.pinMessage':
      return `settings ${whole}`;
    case 'message.send':
    case 'conversation.delete':
    case 'conversation.create':
      return whole;
  }
}

/** What is to be started twice is one: the later of both finds what the earlier one has made. */
function conversationKey(op: Op): string {
  const { action } = op;
  if (action.kind !== 'conversation.create') return action.conversationId;
  return action.contactId === null ? `create group ${action.groupId}` : `create contact ${action.contactId}`;
}

const isEnd = ({ action }: Op): boolean => action.kind === 'conversation.delete';

/** Two writes to the same thing keep their order. */
function targetKey(op: Op): string {
  const { action } = op;
  const isOfMessage = 'messageId' in action && action.kind !== 'conversation.pinMessage';
  return isOfMessage ? `message ${conversationKey(op)} ${action.messageId}` : `${action.kind} ${conversationKey(op)}`;
}
