/** Edits that failed although the server made them: reads that lagged behind for longer than was waited show it in the end. */
import type { ConversationId } from '../../../protocol/types.ts';
import { opsOf } from '../../../state/local/outbox.ts';
import { settleOp } from '../../../state/settle-op.ts';
import { dropNotice } from '../../../state/view/connection.ts';
import { writeToDisk } from '../../services/durable-write.ts';
import type { PageObserver } from '../../services/page-observer.ts';
import { type Services, stateOf, update } from '../../services/services.ts';
import { reads } from './update-message.ts';

/** Runs after every newest page. A process that does not send leaves that to the one that does. */
export const confirmLateEdits: PageObserver = (context, id) => ({
  after: () => {
    if (context.isSender()) settleShownEdits(context, id);
  },
});

/** A failed edit leaves the outbox when its message shows the text by now; nothing of it is lost. */
function settleShownEdits(context: Services, id: ConversationId): void {
  for (const op of opsOf(stateOf(context), id)) {
    const { action, state, uuid } = op;
    if (action.kind !== 'message.edit' || state !== 'failed' || op.pendingRepair !== undefined) continue;
    const shown = context.cache.message(id, action.messageId);
    if (shown === null || !reads(shown, action.text, false)) continue;
    let isSettled = false;
    writeToDisk(context, uuid, 'That an edit was made after all was not recorded.', () => {
      isSettled = context.outbox.settle(uuid, null);
    });
    const left = settleOp(op, null, context.clock.now());
    if (isSettled) update(context, (held) => dropNotice(uuid)(left(held)));
  }
}
