/** Removes messages that the newest page lacks, once the server says of each one that it is gone. */
import { isAddressable } from '../../../protocol/fields.ts';
import type { ConversationId, Message, MessageId } from '../../../protocol/types.ts';
import { removeDeleted } from '../../merge/merge-page.ts';
import { askedAtOnce, type ConfirmedItems, isConfirmed, isGone } from '../../read/absent-items.ts';
import { findMessage } from '../../read/read-message.ts';
import { isWithinLagWindowOfSend } from '../../read/within-lag-window.ts';
import type { Services } from '../../services/services.ts';

/**
 * Asks the server about messages that its page lacks and removes those that are gone. A message whose id cannot be
 * part of an address cannot be asked about, so it is removed at once. One that was just sent is left alone, because
 * reads may lag behind writes, unless another process of this profile has deleted it. Rejects with ApiError.
 *
 * @param mark taken from the write tracker before the page was requested
 * @returns how many were removed
 */
export async function removeAbsent(
  context: Services,
  confirmed: ConfirmedItems<MessageId>,
  id: ConversationId,
  missing: readonly Message[],
  mark: number,
): Promise<number> {
  const now = context.clock.monotonic();
  const suspects = missing.filter(
    (message) =>
      !context.writes.overlapsSince(mark, `message ${message.id}`) &&
      (isRemovedElsewhere(context, id, message) || !isWithinLagWindowOfSend(context, message)) &&
      !isConfirmed(confirmed, message.id, now),
  );
  const gone: MessageId[] = suspects.filter((message) => !isAddressable(message.id)).map((message) => message.id);
  for (const message of suspects.filter((one) => isAddressable(one.id)).slice(-askedAtOnce)) {
    if (await isGone(async () => (await findMessage(context, message.id)) !== null)) gone.push(message.id);
    else confirmed.set(message.id, now);
  }
  if (gone.length > 0) removeDeleted(context, id, gone);
  return gone.length;
}

/** Whether another process has taken the message out of the cache. One that this run has sent may not be in it yet. */
const isRemovedElsewhere = (context: Services, conversationId: ConversationId, { id }: Message): boolean =>
  context.unlisted.ageOfSend(id) === null && context.cache.message(conversationId, id) === null;
