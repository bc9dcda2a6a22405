/** When a message of which it is not known whether it arrived may be sent again, by the user or by itself. */
import type { Op } from '../model/app-state.ts';
import { mayHaveArrived } from '../model/op-state.ts';

/** The statuses of complete answers that say that the server failed to carry the request out. */
const failures: ReadonlySet<string> = new Set(['500', '503']);

/**
 * Whether a message may be sent again once without the user (`resend = "auto-after-check"`): the user could have it
 * sent again, and the server has answered every attempt that may have arrived with a failure.
 */
export function mayRepeatByItself(op: Op, now: number): boolean {
  const inDoubt = op.attempts.filter(mayHaveArrived);
  const isRefuted = inDoubt.length > 0 && inDoubt.every(({ evidence }) => failures.has(evidence));
  return op.autoResent === undefined && op.action.kind === 'message.send' && isRefuted && canResend(op, now);
}

/** How often the history is read, and how long after the attempt at last, before a message may be sent again. */
const complete = { scans: 2, afterMs: 30_000 } as const;

/** Whether the user may have an unsure message sent again: the history was read often and late enough. */
export function canResend(op: Op, now: number): boolean {
  const ended = op.attempts.at(-1)?.ended ?? null;
  if (op.state !== 'unsure' || op.scans < complete.scans || op.lastScan === null || ended === null) return false;
  return op.lastScan - ended >= complete.afterMs && now >= op.lastScan;
}

/** As `canResend`, at the time of the last scan: for what is shown, which does not change by time alone. */
export const isChecked = (op: Op): boolean => canResend(op, op.lastScan ?? 0);
