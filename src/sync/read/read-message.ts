/** Reads one message from the server, and takes into account that reads may lag behind. */
import type { ConversationId, Message, MessageId } from '../../protocol/types.ts';
import { sameValue } from '../../state/collections/equal.ts';
import { rereadWhileStale } from '../services/clock.ts';
import { apiError, request, requestOptions } from '../services/request.ts';
import type { Services } from '../services/services.ts';
import { isWithinLagWindow } from './within-lag-window.ts';

/** True when both have the same text, reactions and attachments. */
export const isUnchanged = (before: Message, after: Message): boolean =>
  before.text === after.text &&
  sameValue(before.reactions, after.reactions) &&
  sameValue(before.attachments, after.attachments);

/** The message as the server has it now; null when it is gone. Rejects with ApiError. */
export async function retrieve(context: Services, id: MessageId): Promise<Message | null> {
  try {
    const answer = await request(context, () => context.client().retrieveMessage(id, requestOptions(context)));
    return answer.value;
  } catch (error) {
    if (apiError(error).kind === 'not-found') return null;
    throw error;
  }
}

/**
 * Reads the message with the changes of this program that the server has confirmed and reads may not show yet. A
 * message that was sent a moment ago is asked for again, as reads may lag behind.
 */
export async function retrieveWritten(
  context: Services,
  { conversationId, messageId: id }: { readonly conversationId: ConversationId; readonly messageId: MessageId },
): Promise<Message | null> {
  const shown = context.cache.message(conversationId, id);
  const mayLag = context.unlisted.hasSend(id) || isWithinLagWindow(context, shown?.createdAt ?? null);
  const isBehind = (seen: Message | null): boolean => seen === null && mayLag;
  const read = () => retrieve(context, id);
  const seen = await rereadWhileStale(context, await read(), isBehind, read);
  // A list has shown the same content: it is current, perhaps by a later change of somebody else.
  const isCertain = seen === null || (shown !== null && isUnchanged(shown, seen));
  return isCertain ? seen : context.writes.messages.overRead(seen);
}

/** The message; null when it is gone, which some servers say by a 200 with a "no" in the body. Rejects with ApiError. */
export async function findMessage(context: Services, id: MessageId): Promise<Message | null> {
  try {
    return await retrieve(context, id);
  } catch (error) {
    const failure = apiError(error);
    if (failure.bodySaysNo) return null;
    throw failure;
  }
}
