/** Puts a change into the outbox: on disk first, then in the state, together with what it makes pointless. */
import type { ConversationId } from '../../protocol/types.ts';
import { withoutDraft } from '../../state/composer/drafts.ts';
import { enqueue as addOp, discard } from '../../state/local/outbox.ts';
import type { Op, OpAction } from '../../state/model/app-state.ts';
import { createOp } from '../../state/model/op-state.ts';
import type { Transition } from '../../state/store.ts';
import { addNotice, dropNotice } from '../../state/view/connection.ts';
import { coalesce } from '../op/coalesce.ts';
import { recipientIn } from '../quirks/recipient-guard.ts';
import { writeToDisk } from '../services/durable-write.ts';
import { type Services, stateOf, update } from '../services/services.ts';

/**
 * False when the disk refused: a notice says so and nothing was changed.
 *
 * @param draftOf the conversation whose draft the change was made from; it is deleted in the same transaction
 */
export function enqueue(context: Services, action: OpAction, draftOf?: ConversationId): boolean {
  const { drop, isMoot } = coalesce(stateOf(context), action);
  const op = newOp(context, action);
  let placed: Op | null = null;
  const isSaved = writeToDisk(context, 'enqueue', 'Not saved, nothing sent:', () => {
    if (!isMoot) placed = context.outbox.enqueue(op, draftOf ?? null);
    for (const old of drop) context.outbox.discard(old.uuid);
  });
  const added: Op | null = placed;
  if (!isSaved && added === null) return false;
  context.noteActivity();
  update(context, (state) => {
    const cleared = drop.reduce((next, old) => discard(old.uuid)(next), withoutDraft(draftOf)(state));
    const next = dropNotice('enqueue')(added === null ? cleared : addOp(added)(cleared));
    return op.notBefore > 0 ? undoNotice(op)(next) : next;
  });
  context.wake();
  return true;
}

function newOp(context: Services, action: OpAction): Omit<Op, 'seq'> {
  const state = stateOf(context);
  const holdMs = action.kind === 'message.send' ? state.settings.undoSendSeconds * 1000 : 0;
  return {
    ...createOp(context.newUuid(), action, { now: context.clock.now(), holdMs }),
    ...recipientIn(state, action.kind === 'conversation.create' ? null : action.conversationId),
  };
}

/** Says how long a message can still be taken back. */
const undoNotice = ({ created: at, notBefore: until }: Omit<Op, 'seq'>): Transition =>
  addNotice({
    tone: 'info',
    about: 'held',
    text: `Leaves in ${Math.round((until - at) / 1000)} s; Esc brings it back`,
    at,
    until,
  });
