/** Brings what another process of the profile has carried out to the screen of this one. */
import type { OpAction } from '../../state/model/app-state.ts';
import { removeDeleted } from '../merge/merge-page.ts';
import type { Services } from '../services/services.ts';

interface Refresh {
  refreshList(): void;
  refreshThread(id: string): void;
}

/** The result is read at once, as it is not known here: the screen shows what was before. */
export function readResultOf(context: Services, action: OpAction, poller: Refresh): void {
  if (!action.kind.startsWith('message.')) poller.refreshList();
  else if ('conversationId' in action) poller.refreshThread(action.conversationId);
  if (action.kind === 'message.delete') takeDeletion(context, action);
}

/** The other process removes the message from the cache right after its deletion has left the outbox. */
const removedAfterMs = 50;

/**
 * The deletion was made, refused or taken back. Only where it was made is the message no longer cached. Lists that lag would
 * show it here for a while.
 */
function takeDeletion(
  context: Services,
  { conversationId, messageId, createdAt }: Extract<OpAction, { kind: 'message.delete' }>,
): void {
  context.clock.after(removedAfterMs, () => {
    if (context.signal.aborted || context.cache.message(conversationId, messageId) !== null) return;
    context.writes.tombstones.messages.add(messageId, createdAt);
    removeDeleted(context, conversationId, [messageId]);
  });
}
