/** Reports to the listener of the session the messages of others that a newest page brought. */
import type { ConversationId, Message, Millis } from '../../protocol/types.ts';
import type { Services } from '../services/services.ts';

/**
 * To be called when the page is in the state. Edited messages are not among the new ones, and older pages do not come here.
 *
 * @param incoming messages of others that are new to this process, oldest first
 * @param afterLine the messages after the read line as it was before the page: the page itself may have marked the open
 *   conversation as read
 */
export function reportIncoming(
  context: Pick<Services, 'clock' | 'backdated' | 'onIncoming'>,
  page: { readonly conversationId: ConversationId; readonly serverDate?: Millis | null },
  incoming: readonly Message[],
  afterLine: readonly Message[],
): void {
  const { conversationId, serverDate = null } = page;
  const unread = new Set(afterLine.map((message) => message.id));
  for (const late of context.backdated.get(conversationId) ?? []) unread.add(late);
  const messages = incoming.filter((message) => unread.has(message.id));
  const behind = serverDate === null ? {} : { behindMs: context.clock.now() - serverDate };
  if (messages.length > 0) context.onIncoming?.({ conversationId, messages, ...behind });
}
