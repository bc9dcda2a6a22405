/** Reports to the listener of the session the messages of others that a newest page brought. */
import type { ConversationId, Message, Millis } from '../../protocol/types.ts';
import { mergeMessages } from '../../state/cache/threads.ts';
import { isOwn } from '../../state/local/identity.ts';
import { messagesAfter } from '../../state/local/unread.ts';
import type { ReadLine } from '../../state/model/app-state.ts';
import { type Services, stateOf } from '../services/services.ts';

/**
 * To be called when the page is in the state, which knows by then whose messages they are. Edited messages are not
 * among the fresh ones, and older pages do not come here.
 *
 * @param fresh rows that were not known, oldest first
 * @param before `known` messages, and the read line before the page: the page itself may have marked the open conversation
 *   as read; `serverDate`: when the server gave the page, null where it does not say
 */
export function reportIncoming(
  context: Pick<Services, 'store' | 'clock' | 'backdated' | 'onIncoming'>,
  id: ConversationId,
  fresh: readonly Message[],
  before: {
    readonly known: readonly Message[];
    readonly line: ReadLine | undefined;
    readonly serverDate: Millis | null;
  },
): void {
  const { onIncoming, clock } = context;
  const { known, line, serverDate } = before;
  if (onIncoming === undefined || fresh.length === 0) return;
  const state = stateOf(context);
  const others = fresh.filter((message) => !isOwn(message, state));
  if (others.length === 0) return;
  const unread = new Set(messagesAfter(mergeMessages(known, fresh), line).map((message) => message.id));
  for (const late of context.backdated.get(id) ?? []) unread.add(late);
  const messages = others.filter((message) => unread.has(message.id));
  const behind = serverDate === null ? {} : { behindMs: clock.now() - serverDate };
  if (messages.length > 0) onIncoming({ conversationId: id, messages, ...behind });
}
