/** Decides which ops may start now: the order of the ops of one conversation (R-SEND-4). */
import { holdsBack } from '../../state/local/outbox.ts';
import type { Op } from '../../state/model/app-state.ts';

export interface ReadyOps {
  /** Of each queue, the first op that may start now. */
  readonly ready: readonly Op[];
  /** When the next one may; null = not before something else happens. */
  readonly nextAt: number | null;
}

/**
 * A message waits for every earlier message of its conversation that is queued, under way or unsure, except for an
 * unsure one that later messages may pass, as the user has decided. Any other write waits only for earlier writes to
 * the same thing, so that an unsure message does not delay a mute. A deletion of a conversation waits for all changes
 * in it. Nothing waits for failed ops.
 *
 * @param dueAt when the op may start, on the same clock as `now`
 * @param isBusy whether an op of the queue is under way
 */
export function nextReady(
  outbox: readonly Op[],
  now: number,
  dueAt: (op: Op) => number,
  isBusy: (queue: string) => boolean,
): ReadyOps {
  const ready: Op[] = [];
  const earlierKeys = new Set<string>();
  const changedConversations = new Set<string>();
  const takenQueues = new Set<string>();
  let nextAt: number | null = null;
  for (const op of outbox) {
    if (!holdsBack(op)) continue;
    const queue = queueKey(op);
    const key = orderKey(op);
    const conversation = conversationKey(op);
    const mustWait = earlierKeys.has(key) || (isDeletion(op) && changedConversations.has(conversation));
    earlierKeys.add(key);
    if (queue !== conversation) changedConversations.add(conversation);
    if (op.state !== 'queued' || mustWait || takenQueues.has(queue) || isBusy(queue)) continue;
    const at = dueAt(op);
    if (at > now) nextAt = nextAt === null ? at : Math.min(nextAt, at);
    else {
      ready.push(op);
      takenQueues.add(queue);
    }
  }
  return { ready, nextAt };
}

/** Whether both write to the same thing, so that the later one waits for the earlier one. */
export const changeSameThing = (a: Op, b: Op): boolean => orderKey(a) === orderKey(b);

/**
 * Ops of one queue are carried out one at a time. A conversation has three queues: one for its new messages, one for
 * changes of its messages, because a change may show what the server does to the next one, and one for its settings,
 * because some servers take them only all at once.
 */
export function queueKey(op: Op): string {
  const conversation = conversationKey(op);
  switch (op.action.kind) {
    case 'message.edit':
    case 'message.react':
    case 'message.delete':
      return `changes ${conversation}`;
    case 'conversation.pin':
    case 'conversation.mute':
    case 'conversation.archive':
    case 'conversation.pinMessage':
      return `settings ${conversation}`;
    case 'message.send':
    case 'conversation.delete':
    case 'conversation.create':
      return conversation;
  }
}

/** Two creations of a conversation with the same contact or group share a key: the second finds what the first made. */
function conversationKey(op: Op): string {
  const { action } = op;
  if (action.kind !== 'conversation.create') return action.conversationId;
  return action.contactId === null ? `create group ${action.groupId}` : `create contact ${action.contactId}`;
}

const isDeletion = ({ action }: Op): boolean => action.kind === 'conversation.delete';

/**
 * Two writes to the same thing keep their order. All settings of a conversation are one thing: a change of one may reset
 * another, which is then put back unless the user has changed it since.
 */
function orderKey(op: Op): string {
  const { action } = op;
  const conversation = conversationKey(op);
  const isOfMessage = 'messageId' in action && action.kind !== 'conversation.pinMessage';
  if (isOfMessage) return `message ${conversation} ${action.messageId}`;
  const queue = queueKey(op);
  return queue === conversation ? `${action.kind} ${conversation}` : queue;
}
