/** Recovers ops whose attempt was interrupted because the process that made it ended. */
import type { ConversationId } from '../../protocol/types.ts';
import { accepts } from '../../state/model/op-state.ts';
import { applyEvent } from '../op/update-op.ts';
import { type Services, stateOf } from '../services/services.ts';

/**
 * Closes the attempts that an earlier process left without an answer. Sent messages are then looked for in the history:
 * `watch` is called with their conversations. Other changes are queued, as they are safe to repeat once the server was
 * read.
 */
export function recover(context: Services, watch: (id: ConversationId) => void): void {
  const interrupted = stateOf(context).local.outbox.filter((op) => accepts(op, 'interrupted'));
  for (const { uuid, action } of interrupted) {
    const event = { kind: 'interrupted', at: context.clock.now() } as const;
    applyEvent(context, uuid, 'The outbox could not be written.', event);
    if (action.kind === 'message.send') watch(action.conversationId);
  }
}
