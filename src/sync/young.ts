/** What was made a moment ago: lists, and whatever else is read, may not show it yet. */
import type { Message, MessageId, Millis } from '../protocol/types.ts';
import { isOwn } from '../state/outbox.ts';
import { type SyncContext, stateOf } from './context.ts';

/** Nothing that is read is believed to lag longer. */
export const youngForMs = 120_000;

/** `at`: by the server's clock. */
export const isYoung = (context: SyncContext, at: Millis | null): boolean =>
  at !== null && Math.abs(context.clock.now() - at) < youngForMs;

/** Known from the answer to its send alone: lists may show it yet, by this id or by another one. */
export function isAwaited(context: SyncContext, id: MessageId): boolean {
  const sentAt = context.ownUnseen.get(id);
  return sentAt !== undefined && context.clock.monotonic() - sentAt < youngForMs;
}

/** Sent by the user; in this run by our clock, else by the server's. */
export function isJustSent(context: SyncContext, message: Message): boolean {
  const sentAt = context.ownUnseen.get(message.id);
  if (sentAt !== undefined) return context.clock.monotonic() - sentAt < youngForMs;
  return isOwn(message, stateOf(context)) && isYoung(context, message.createdAt);
}
