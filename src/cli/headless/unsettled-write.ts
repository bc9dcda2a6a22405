/** Writes what a command says of a write that is not settled when the command ends. */
import { heldBackBy } from '../../state/local/outbox.ts';
import type { Op } from '../../state/model/app-state.ts';
import { keepsUserText } from '../../state/model/op-state.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import type { Account, InterruptReport } from './account.ts';

/**
 * Makes the error for an op that is not settled when the time is over.
 * @param op undefined where it has left the outbox
 * @param isSender whether this process has the sender role, so that no other one sends the op
 */
export function unsettledError(account: Account, op: Op | undefined, isSender: boolean): ExitError {
  const { deadline, store } = account;
  const { connection, isVolatile } = store.getState().view;
  const isText = op === undefined || keepsUserText(op);
  if (op?.state === 'sending' || op?.state === 'unsure')
    return new ExitError(exitCodes.failure, unsureText(op, isVolatile), { name: 'unsure' });
  const why = op?.reason ?? connection.reason ?? deadline.unready;
  const what = `${isText ? 'not sent' : 'not done'} ${deadline.within}`;
  const kept = queuedText(account, op, isSender);
  const text = `${what}${why === null ? '' : ` (${why.replace(/\.$/, '')})`}: ${kept}`;
  return new ExitError(exitCodes.notReached, text, { queued: isVolatile !== true });
}

/** @param isSender as for `unsettledError` */
function queuedText({ store }: Account, op: Op | undefined, isSender: boolean): string {
  if (store.getState().view.isVolatile === true) return 'nothing is kept on disk here, so it is lost';
  const unsure = op === undefined ? undefined : heldBackBy(op, store.getState().local.outbox);
  if (unsure !== undefined)
    return `queued behind an earlier message that is unsure: "msg-tui outbox retry ${unsure.uuid.slice(0, 8)}" decides about that one`;
  return isSender
    ? 'queued; it is sent when the chat is opened, or by "msg-tui outbox retry"'
    : 'queued; the msg-tui that is open sends it as soon as it can';
}

function unsureText(op: Op, isVolatile = false): string {
  if (isVolatile)
    return 'no answer came, so it may have arrived; nothing is kept on disk here, so look at the conversation';
  const { reason, action, hasPossibleCopy } = op;
  const id = op.uuid.slice(0, 8);
  if (action.kind !== 'message.send')
    return `no answer came in time, so the change may have been made; the next msg-tui that sends looks at it first, and "msg-tui outbox list" shows ${id} until then`;
  // The reason says what came instead of a clear answer, such as a 500.
  const arrived =
    reason === null
      ? 'no answer came, so the message may have arrived'
      : `the message may have arrived (${reason.replace(/\.$/, '')})`;
  const remedy = hasPossibleCopy
    ? `"msg-tui outbox discard ${id}" removes it here if that is the one, and "msg-tui outbox retry ${id}" sends it again if it is not`
    : `"msg-tui outbox retry ${id}" sends it again where it is not found in the 30 seconds after the attempt`;
  return `unsure: ${arrived}. The next msg-tui that sends looks for it in the history and never sends it twice; "msg-tui outbox list" shows ${id} until then, and ${remedy}`;
}

/** The report of a command that a signal ends; null where the op is over. @param isSender as for `unsettledError` */
export function interruptReport(account: Account, op: Op | undefined, isSender: boolean): InterruptReport | null {
  if (op === undefined || op.state === 'failed') return null;
  const { isVolatile } = account.store.getState().view;
  if (op.state !== 'queued') return { line: `interrupted: ${unsureText(op, isVolatile)}`, details: {} };
  const line = `interrupted: ${queuedText(account, op, isSender)}`;
  return { line, details: { queued: isVolatile !== true } };
}
