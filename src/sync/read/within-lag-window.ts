/** Whether something is so new that reads may not show it yet, because replicas of the server lag behind. */
import type { Message, MessageId, Millis } from '../../protocol/types.ts';
import { isOwn } from '../../state/local/identity.ts';
import { lagWindowMs } from '../services/lag-window.ts';
import { type Services, stateOf } from '../services/services.ts';

/** Whether the time is less than the lag window away from now; `at` is by the server's clock. */
export const isWithinLagWindow = (context: Services, at: Millis | null): boolean =>
  at !== null && Math.abs(context.clock.now() - at) < lagWindowMs;

/** True when the message is known only from the answer to its send, and lists may yet show it, by any id. */
export function isAwaitingListing(context: Services, id: MessageId): boolean {
  const ageMs = context.unlisted.ageOfSend(id);
  return ageMs !== null && ageMs < lagWindowMs;
}

/** True when the user sent the message a moment ago: by our clock if it was sent in this run, else by the server's. */
export function isWithinLagWindowOfSend(context: Services, message: Message): boolean {
  const ageMs = context.unlisted.ageOfSend(message.id);
  if (ageMs !== null) return ageMs < lagWindowMs;
  return isOwn(message, stateOf(context)) && isWithinLagWindow(context, message.createdAt);
}
