/** The way into the outbox: on disk first, then in the state, together with what the new op makes pointless. */
import type { ConversationId } from '../../protocol/types.ts';
import { withoutDraft } from '../../state/composer/drafts.ts';
import { discard, enqueue } from '../../state/local/outbox.ts';
import type { Op, OpAction } from '../../state/model/app-state.ts';
import { createOp } from '../../state/model/op-state.ts';
import type { Transition } from '../../state/store.ts';
import { addNotice, dropNotice } from '../../state/view/connection.ts';
import { coalesce } from '../op/coalesce.ts';
import { recipientIn } from '../quirks/recipient-guard.ts';
import { type Services, stateOf, update, writeToDisk } from '../services/services.ts';

/** False when the disk refused: a notice says so and nothing was changed. */
export function enqueueAction(
  context: Services,
  action: OpAction,
  draftOf: ConversationId | undefined,
  wake: () => void,
): boolean {
  const holdMs = action.kind === 'message.send' ? (context.settings.undoSendMs ?? 0) : 0;
  const { drop, isMoot } = coalesce(stateOf(context), action);
  const op: Omit<Op, 'seq'> = {
    ...createOp(context.newUuid(), action, { now: context.clock.now(), holdMs }),
    ...recipientIn(stateOf(context), action.kind === 'conversation.create' ? null : action.conversationId),
  };
  let placed: Op | null = null;
  const isSaved = writeToDisk(context, 'enqueue', 'Not saved, nothing sent:', () => {
    if (!isMoot) placed = context.outbox.enqueue(op, draftOf ?? null);
    for (const old of drop) context.outbox.discard(old.uuid);
  });
  const held: Op | null = placed;
  if (!isSaved && held === null) return false;
  context.noteActivity();
  update(context, (state) => {
    const cleared = drop.reduce((next, old) => discard(old.uuid)(next), withoutDraft(draftOf)(state));
    const next = dropNotice('enqueue')(held === null ? cleared : enqueue(held)(cleared));
    return holdMs > 0 ? heldNotice(op.created, op.notBefore)(next) : next;
  });
  wake();
  return true;
}

const heldNotice = (at: number, until: number): Transition =>
  addNotice({
    tone: 'info',
    about: 'held',
    text: `Leaves in ${Math.round((until - at) / 1000)} s; Esc brings it back`,
    at,
    until,
  });
