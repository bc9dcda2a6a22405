/** Unmutes conversations whose time is over. The sender alone does it, so that two programs do not do it twice. */
import { setMutedUntil } from '../../state/local/muting.ts';
import { selectConversation } from '../../state/select/selectors.ts';
import { type Services, stateOf, update } from '../services/services.ts';
import { enqueue } from './enqueue.ts';

/**
 * The record of the time is removed after the unmuting is in the outbox on disk: a program that is killed in between
 * finds both at its next start. `enqueue` wakes the loops, which come here again and find it in the outbox.
 */
export function unmuteWhatIsDue(context: Services): void {
  const { mutedUntil } = stateOf(context).local;
  if (!context.isSender()) return;
  const now = context.clock.now();
  for (const [conversationId, until] of mutedUntil) {
    const conversation = selectConversation(stateOf(context), conversationId);
    if (until > now || conversation === null) continue;
    const isDone =
      !conversation.isMuted || enqueue(context, { kind: 'conversation.mute', conversationId, value: false });
    if (isDone) update(context, setMutedUntil(conversationId, null));
  }
}
