/**
 * The before-image of a message: what it was before a change whose effect has not been checked yet. It is stored in the
 * op on disk, so that a later run can restore what the change took away.
 */
import type { UpdateMessageParameters } from '../../../api/operations.ts';
import type { ConversationId, Message, MessageId } from '../../../protocol/types.ts';
import { replaceOp } from '../../../state/local/outbox.ts';
import type { BeforeImage, Op } from '../../../state/model/app-state.ts';
import { updateOpBestEffort } from '../../op/update-op.ts';
import { type Services, stateOf, update } from '../../services/services.ts';

export interface MessagePlace {
  readonly conversationId: ConversationId;
  readonly messageId: MessageId;
}

/** The message that the op changes and may have to repair; null for ops that change no message. */
export function changedMessage({ action }: Op): MessagePlace | null {
  return action.kind === 'message.edit' || action.kind === 'message.react' ? action : null;
}

const opsOn = (context: Services, id: MessageId): readonly Op[] =>
  stateOf(context).local.outbox.filter((op) => changedMessage(op)?.messageId === id);

/** The op under way that changes the message. */
export const opUnderWay = (context: Services, id: MessageId): Op | undefined =>
  opsOn(context, id).find((held) => held.state === 'sending');

/** Writes the before-image to disk before it returns; false when the message has one already, which is then kept. */
export function saveBeforeImage(context: Services, message: Message, sent: UpdateMessageParameters): boolean {
  if (opToRepair(context, message.id) !== null) return false;
  const op = opUnderWay(context, message.id);
  if (op === undefined) return false;
  const { text, reactions, attachments, createdAt } = message;
  const image = { text, reactions, attachments, ...(createdAt === null ? {} : { createdAt }), sent };
  const withImage = (held: Op): Op => ({ ...held, pendingRepair: image });
  updateOpBestEffort(context, op, 'What a change may take from a message was not recorded.', withImage);
  return true;
}

/** To be called once the effect of the change was checked and what it took away is restored. */
export function dropBeforeImage(context: Services, id: MessageId): void {
  for (const op of opsOn(context, id)) {
    if (op.pendingRepair === undefined) continue;
    // An op under way is written to disk when it ends; should the program end before that, the check is only repeated.
    if (op.state === 'sending') update(context, replaceOp(withoutImage(op)));
    else updateOpBestEffort(context, op, 'The outbox could not be written.', withoutImage);
  }
}

function withoutImage(op: Op): Op {
  const { pendingRepair: _, ...rest } = op;
  return rest;
}

/** The op that holds a before-image of the message; null when the effect of its last change was checked. */
export const opToRepair = (context: Services, id: MessageId): Unrepaired | null =>
  opsOn(context, id).find((op): op is Unrepaired => op.pendingRepair !== undefined) ?? null;

type Unrepaired = Op & { readonly pendingRepair: BeforeImage };
