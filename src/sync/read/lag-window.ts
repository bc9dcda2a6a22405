/** What was made a moment ago: lists, and whatever else is read, may not show it yet. */
import type { Message, MessageId, Millis } from '../../protocol/types.ts';
import { isOwn } from '../../state/local/outbox.ts';
import { type Services, stateOf } from '../services/services.ts';

/** Nothing that is read is believed to lag longer. */
export const lagWindowMs = 120_000;

/** `at`: by the server's clock. */
export const isWithinLagWindow = (context: Services, at: Millis | null): boolean =>
  at !== null && Math.abs(context.clock.now() - at) < lagWindowMs;

/** Known from the answer to its send alone: lists may show it yet, by this id or by another one. */
export function isAwaitingListing(context: Services, id: MessageId): boolean {
  const sentAt = context.unlistedSends.get(id);
  return sentAt !== undefined && context.clock.monotonic() - sentAt < lagWindowMs;
}

/** Sent by the user; in this run by our clock, else by the server's. */
export function isWithinLagWindowOfSend(context: Services, message: Message): boolean {
  const sentAt = context.unlistedSends.get(message.id);
  if (sentAt !== undefined) return context.clock.monotonic() - sentAt < lagWindowMs;
  return isOwn(message, stateOf(context)) && isWithinLagWindow(context, message.createdAt);
}
