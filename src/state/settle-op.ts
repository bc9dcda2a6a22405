/** The transition by which a write leaves the outbox once its outcome is known. */
import type { MessageId } from '../protocol/types.ts';
import { putResent, resentOf } from './local/duplicate-watch.ts';
import { removeOp } from './local/outbox.ts';
import type { Op } from './model/app-state.ts';
import { transition } from './model/op-state.ts';
import type { Transition } from './store.ts';
import { followPending } from './view/thread-place.ts';

/**
 * Takes the op out of the outbox. A message of the server takes over the place of a sent message in the thread and in
 * the selection. When more than one attempt may have arrived, a second copy is looked for from now on.
 *
 * Throws `ImpossibleOpEvent` for an op whose request has never left.
 *
 * @param messageId the message of the server that the op became; null when it became none
 */
export function settleOp(op: Op, messageId: MessageId | null, now: number): Transition {
  transition(op, { kind: 'settled' });
  const entry = messageId === null ? null : resentOf(op, messageId, now);
  const { action, uuid } = op;
  return (state) => {
    const without = removeOp(uuid)(state);
    const left =
      action.kind === 'message.send' ? followPending(action.conversationId, uuid, messageId)(without) : without;
    return entry === null ? left : putResent(entry)(left);
  };
}
