/** Messages as they were before a change that nobody has looked at yet: kept in the op on disk until what was lost is put back. */
import type { UpdateMessageParameters } from '../../../api/operations.ts';
import type { ConversationId, Message, MessageId } from '../../../protocol/types.ts';
import { updateOp } from '../../../state/local/outbox.ts';
import type { BeforeImage, Op } from '../../../state/model/app-state.ts';
import { updateOpBestEffort } from '../../op/update-op.ts';
import { type Services, stateOf, update } from '../../services/services.ts';

export interface MessagePlace {
  readonly conversationId: ConversationId;
  readonly messageId: MessageId;
}

/** The message that the op changes and may have to put right; null for every other op. */
export function changedMessage({ action }: Op): MessagePlace | null {
  return action.kind === 'message.edit' || action.kind === 'message.react' ? action : null;
}

const opsOn = (context: Services, id: MessageId): readonly Op[] =>
  stateOf(context).local.outbox.filter((op) => changedMessage(op)?.messageId === id);

/** On disk when it returns, until `dropBefore`; false when an earlier state is kept already. */
export function saveBeforeImage(context: Services, message: Message, sent: UpdateMessageParameters): boolean {
  if (pendingRepairOf(context, message.id) !== null) return false;
  const op = opsOn(context, message.id).find((held) => held.state === 'sending');
  if (op === undefined) return false;
  const { text, reactions, attachments } = message;
  const owing = (held: Op): Op => ({ ...held, pendingRepair: { text, reactions, attachments, sent } });
  updateOpBestEffort(context, op, 'What a change may take from a message was not recorded.', owing);
  return true;
}

/** What the change did has been looked at, and put right where it had to be. */
export function dropBeforeImage(context: Services, id: MessageId): void {
  for (const op of opsOn(context, id)) {
    if (op.pendingRepair === undefined) continue;
    // The end of an op under way is written anyway; until then it is merely looked at once more.
    if (op.state === 'sending') update(context, updateOp(free(op)));
    else updateOpBestEffort(context, op, 'The outbox could not be written.', free);
  }
}

function free(op: Op): Op {
  const { pendingRepair: _, ...rest } = op;
  return rest;
}

/** null when the last change of the message was seen to its end. */
export function pendingRepairOf(context: Services, id: MessageId): BeforeImage | null {
  return opsOn(context, id).find((op) => op.pendingRepair !== undefined)?.pendingRepair ?? null;
}
