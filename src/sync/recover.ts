/** What becomes of ops that were cut off, and of failed ones that the user wants tried again. */
import type { ConversationId } from '../protocol/types.ts';
import type { AppState, Op } from '../state/state.ts';
import { type SyncContext, stateOf } from './context.ts';

/** Ops that the last run left without an answer: sends are looked for in history, the rest is safe to look at again. */
export function recover(context: SyncContext, change: (op: Op) => void, watch: (id: ConversationId) => void): void {
  for (const op of stateOf(context).local.outbox) {
    if (op.state !== 'unsure' && op.state !== 'sending') continue;
    if (op.action.kind !== 'message.send') {
      change({ ...op, state: 'queued' });
      continue;
    }
    const attempts = op.attempts.map((attempt, index) =>
      index === op.attempts.length - 1 && attempt.ended === null
        ? {
            ...attempt,
            ended: context.clock.now(),
            outcome: 'A' as const,
            evidence: attempt.evidence || 'process ended',
          }
        : attempt,
    );
    change({ ...op, state: 'unsure', attempts });
    watch(op.action.conversationId);
  }
}

/** "Mine" is the answer to a conflict: what the server has now is what the edit starts from. */
export function rebased(state: AppState, op: Op): Op {
  const { action } = op;
  if (action.kind !== 'message.edit' || op.state !== 'failed') return op;
  const messages = state.cache.threads.get(action.conversationId)?.messages ?? [];
  const now = messages.find((message) => message.id === action.messageId);
  return now === undefined ? op : { ...op, action: { ...action, base: now.text } };
}
