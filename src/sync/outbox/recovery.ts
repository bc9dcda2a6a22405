/** What becomes of ops that were cut off, and of failed ones that the user wants tried again. */
import type { ConversationId } from '../../protocol/types.ts';
import { withLastEnded } from '../../state/local/outbox.ts';
import type { AppState, Op } from '../../state/model/app-state.ts';
import { updateOp } from '../op/update-op.ts';
import { type Services, stateOf } from '../services/services.ts';

/** Ops that the last run left without an answer: sends are looked for in history, the rest is safe to look at again. */
export function recover(context: Services, watch: (id: ConversationId) => void): void {
  const isLeft = (op: Op): boolean => op.state === 'unsure' || op.state === 'sending';
  for (const { uuid, action } of stateOf(context).local.outbox.filter(isLeft)) {
    // Since it was read, another process may have brought what its user decided.
    updateOp(context, uuid, 'The outbox could not be written.', (held) =>
      isLeft(held) ? afterEnd(held, context.clock.now()) : null,
    );
    if (action.kind === 'message.send') watch(action.conversationId);
  }
}

function afterEnd(op: Op, now: number): Op {
  if (op.action.kind !== 'message.send') return { ...op, state: 'queued' };
  const evidence = op.attempts.at(-1)?.evidence || 'process ended';
  const attempts = withLastEnded(op.attempts, { ended: now, outcome: 'A', evidence });
  return { ...op, state: 'unsure', attempts };
}

/** "Mine" is the answer to a conflict: what the server has now is what the edit starts from. */
export function rebased(state: AppState, op: Op): Op {
  const { action } = op;
  if (action.kind !== 'message.edit' || op.state !== 'failed') return op;
  const messages = state.cache.threads.get(action.conversationId)?.messages ?? [];
  const now = messages.find((message) => message.id === action.messageId);
  return now === undefined ? op : { ...op, action: { ...action, base: now.text } };
}
