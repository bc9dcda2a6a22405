/** Removes messages that the newest page lacks, once the server says of each one that it is gone. */
import { isAddressable } from '../../../protocol/id.ts';
import type { ConversationId, Message, MessageId } from '../../../protocol/types.ts';
import { removeDeleted } from '../../merge/merge-page.ts';
import { findMessage } from '../../read/read-message.ts';
import { isWithinLagWindowOfSend } from '../../read/within-lag-window.ts';
import { apiError, isNotShown } from '../../services/request.ts';
import type { Services } from '../../services/services.ts';

/** Messages that a page lacked although the server still had them, and when it said so, on the monotonic clock. */
export type ConfirmedMessages = Map<MessageId, number>;

const askedAtOnce = 5;
const confirmedForMs = 60_000;

/**
 * Asks the server about messages that its page lacks and removes those that are gone. A message whose id cannot be
 * part of an address cannot be asked about, so it is removed at once. One that was just sent is left alone, because
 * reads may lag behind writes. Rejects with ApiError.
 *
 * @param mark taken from the write tracker before the page was requested
 * @returns how many were removed
 */
export async function removeAbsent(
  context: Services,
  confirmed: ConfirmedMessages,
  id: ConversationId,
  missing: readonly Message[],
  mark: number,
): Promise<number> {
  const now = context.clock.monotonic();
  const suspects = missing.filter(
    (message) =>
      !context.writes.overlapsSince(mark, `message ${message.id}`) &&
      !isWithinLagWindowOfSend(context, message) &&
      now - (confirmed.get(message.id) ?? Number.NEGATIVE_INFINITY) >= confirmedForMs,
  );
  const gone: MessageId[] = suspects.filter((message) => !isAddressable(message.id)).map((message) => message.id);
  for (const message of suspects.filter((one) => isAddressable(one.id)).slice(-askedAtOnce)) {
    if (await isGone(context, message.id)) gone.push(message.id);
    else confirmed.set(message.id, now);
  }
  if (gone.length > 0) removeDeleted(context, id, gone);
  return gone.length;
}

/** Whether the message is gone: an answer with another message or id means that it is, a refusal to show it does not. */
async function isGone(context: Services, id: MessageId): Promise<boolean> {
  try {
    return (await findMessage(context, id)) === null;
  } catch (error) {
    if (apiError(error).isIdMismatch) return true;
    if (isNotShown(error)) return false;
    throw error;
  }
}
