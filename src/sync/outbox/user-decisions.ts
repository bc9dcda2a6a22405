/** What the user decides about ops in the outbox: try again, send again, take back. */
import { conversationOf } from '../../state/cache/conversations.ts';
import { canResend, discard, requeued } from '../../state/local/outbox.ts';
import type { Op } from '../../state/model/app-state.ts';
import { dropNotice } from '../../state/view/connection.ts';
import { freshest, updateOp } from '../op/update-op.ts';
import { recipientIn } from '../quirks/recipient-guard.ts';
import type { DraftChange } from '../services/ports.ts';
import { notify, type Services, stateOf, update, writeToDisk } from '../services/services.ts';
import { rebased } from './recovery.ts';

export interface UserChoices {
  /** Queues a failed op again; an unsure one as `resend` does. A failed edit then replaces the text that is there now. */
  retry(uuid: string): void;
  /** The user's own decision about an unsure send, once `canResend` allows it. */
  resend(uuid: string): void;
  /** Later messages of the conversation no longer wait for an unsure one; false where it is none, or the disk refused. */
  letPass(uuid: string): boolean;
  /** Takes an op out unless its request is under way; its words are in the draft by the same transaction. */
  discard(uuid: string, into?: DraftChange): boolean;
}

/** A repair that has failed so often blocks a conversation no longer than the user likes. */
const attemptsOwed = 6;
const isOwing = (op: Op): boolean =>
  op.state === 'queued' && op.pendingRepair !== undefined && op.attempts.length < attemptsOwed;
const mayGo = (op: Op): boolean => op.state !== 'sending' && !isOwing(op);

const owingText = 'It has left already: what it may have taken from the message is put back first.';
const unwritten = 'The outbox could not be written.';

export function createChoices(context: Services, hurry: (uuid: string) => void): UserChoices {
  const find = (uuid: string): Op | undefined => stateOf(context).local.outbox.find((op) => op.uuid === uuid);

  /** Not over what the sending process has made of it meanwhile. */
  const requeue = (op: Op): void => {
    hurry(op.uuid);
    updateOp(context, op.uuid, unwritten, (held) => {
      if (held.state !== op.state || (held.state === 'unsure' && !canResend(held, context.clock.now()))) return null;
      // Whom it is for is what the user sees now.
      return { ...requeued(rebased(stateOf(context), held)), ...recipientIn(stateOf(context), conversationOf(held)) };
    });
    context.wake();
  };

  const resend = (uuid: string): void => {
    const op = find(uuid);
    if (op === undefined || op.state !== 'unsure') return;
    if (canResend(op, context.clock.now())) requeue(op);
    else {
      const text = 'Still checking whether the message arrived. Sending again is offered after 30 seconds.';
      notify(context, 'info', uuid, text);
    }
  };

  return {
    resend,
    letPass: (uuid) => {
      const op = find(uuid);
      if (op?.state !== 'unsure') return false;
      const passed = updateOp(context, uuid, unwritten, (held) =>
        held.state === 'unsure' ? { ...held, skippedInOrder: true } : null,
      );
      context.wake();
      return passed !== null;
    },
    retry: (uuid) => {
      const op = find(uuid);
      if (op?.state === 'unsure') resend(uuid);
      else if (op?.state === 'failed' || op?.state === 'queued') requeue(op);
    },
    discard: (uuid, into) => {
      const op = find(uuid);
      if (op === undefined) return false;
      if (isOwing(op)) {
        notify(context, 'info', uuid, owingText);
        return false;
      }
      let isOut = false;
      const couldAsk = writeToDisk(context, uuid, unwritten, () => {
        isOut = context.outbox.withdraw(uuid, into ?? null, (held) => mayGo(freshest(context, held)));
      });
      if (!couldAsk) return false;
      if (isOut) {
        update(context, (state) => {
          const without = dropNotice(uuid)(discard(uuid)(state));
          if (into === undefined) return without;
          const drafts = new Map(without.local.drafts).set(into.conversationId, into.draft);
          return { ...without, local: { ...without.local, drafts } };
        });
      } else {
        context.reload();
        const left = find(uuid);
        if (left !== undefined)
          notify(
            context,
            'info',
            uuid,
            isOwing(left) ? owingText : 'It is being sent just now and cannot be taken back.',
          );
      }
      context.wake();
      return isOut;
    },
  };
}
