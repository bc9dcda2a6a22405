/** Messages as they were before a change that broke off between the PUT and the look at what it did: nobody has seen yet what was lost. */
import type { UpdateMessageParameters } from '../api/operations.ts';
import type { Message, MessageId } from '../protocol/types.ts';
import type { SyncContext } from './context.ts';

export interface BrokenOff {
  readonly message: Message;
  readonly sent: UpdateMessageParameters;
  readonly at: number;
}

/** Later than this, what is missing may have been taken back by whoever it belonged to. */
const keptForMs = 300_000;

const byContext = new WeakMap<SyncContext, Map<MessageId, BrokenOff>>();

/** Until `dropBefore`; false when an earlier state is kept already. */
export function keepBefore(context: SyncContext, message: Message, sent: UpdateMessageParameters): boolean {
  const kept = byContext.get(context) ?? new Map<MessageId, BrokenOff>();
  byContext.set(context, kept);
  const now = context.clock.monotonic();
  for (const [id, { at }] of kept) if (now - at > keptForMs) kept.delete(id);
  if (kept.has(message.id)) return false;
  kept.set(message.id, { message, sent, at: now });
  return true;
}

/** What the change did has been looked at, and put right where it had to be. */
export function dropBefore(context: SyncContext, id: MessageId): void {
  byContext.get(context)?.delete(id);
}

/** null when the last change of the message was seen to its end. */
export function brokenOff(context: SyncContext, id: MessageId): BrokenOff | null {
  const kept = byContext.get(context)?.get(id);
  return kept === undefined || context.clock.monotonic() - kept.at > keptForMs ? null : kept;
}
