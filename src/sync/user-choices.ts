/** What the user decides about ops in the outbox: try again, send again, take back. */
import { dropNotice } from '../state/connection.ts';
import { canResend, discard, updateOp } from '../state/outbox.ts';
import type { Op } from '../state/state.ts';
import { durably, notify, type SyncContext, stateOf, update } from './context.ts';
import type { DraftChange } from './ports.ts';
import { rebased } from './recover.ts';

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

export function createChoices(context: SyncContext, hurry: (uuid: string) => void): UserChoices {
  const find = (uuid: string): Op | undefined => stateOf(context).local.outbox.find((op) => op.uuid === uuid);

  const requeue = (op: Op): void => {
    hurry(op.uuid);
    const next: Op = { ...rebased(stateOf(context), op), state: 'queued', reason: null, notBefore: 0 };
    // Not over what the sending process has made of it meanwhile.
    const isSaved = durably(context, op.uuid, 'The outbox could not be written.', () =>
      context.outbox.putOp(next, op.state),
    );
    if (isSaved) update(context, updateOp(next));
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
      const next: Op = { ...op, letsPass: true };
      const isSaved = durably(context, uuid, 'The outbox could not be written.', () =>
        context.outbox.putOp(next, op.state),
      );
      if (isSaved) update(context, updateOp(next));
      context.wake();
      return isSaved;
    },
    retry: (uuid) => {
      const op = find(uuid);
      if (op?.state === 'unsure') resend(uuid);
      else if (op?.state === 'failed' || op?.state === 'queued') requeue(op);
    },
    discard: (uuid, into) => {
      const op = find(uuid);
      if (op === undefined) return false;
      if (op.state === 'queued' && op.owed !== undefined && op.attempts.length < attemptsOwed) {
        notify(
          context,
          'info',
          uuid,
          'It has left already: what it may have taken from the message is put back first.',
        );
        return false;
      }
      let isOut = false;
      const couldAsk = durably(context, uuid, 'The outbox could not be written.', () => {
        isOut = context.outbox.withdraw(uuid, into ?? null);
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
        if (find(uuid) !== undefined)
          notify(context, 'info', uuid, 'It is being sent just now and cannot be taken back.');
      }
      context.wake();
      return isOut;
    },
  };
}
