/** One conversation changed and, where the answer does not show it, looked at; settings that went along are put back. */
import type { Answer, UpdateConversationParameters } from '../api/operations.ts';
import { formatTime } from '../protocol/time.ts';
import type { Conversation, ConversationId } from '../protocol/types.ts';
import { apiError, notify, remember, requestOptions, type SyncContext, stateOf, throughGate } from './context.ts';
import { look, retrieve } from './look-at-conversation.ts';

/** The conversation as it is after the change. Rejects with ApiError when the change was not taken. */
export async function putConversation(
  context: SyncContext,
  id: ConversationId,
  parameters: UpdateConversationParameters,
): Promise<Conversation> {
  const rule = stateOf(context).local.traits.conversationPutRule?.value;
  const held = stateOf(context).cache.conversations.get(id);
  // Lists lag, and what is not sent may be lost: what is there now is what goes along.
  const before = rule === 'partial' ? held : ((await look(context, id)) ?? held);
  if (before === undefined) return exchange(context, id, parameters);
  const rest = restOf(before, parameters);
  if (rule === 'full-replace') return exchange(context, id, { ...rest, ...parameters });
  const after = await exchange(context, id, parameters);
  if (Object.keys(rest).length === 0) return after;
  const isLost = hasLost(before, after, parameters);
  remember(context, 'conversationPutRule', isLost ? 'full-replace' : 'partial', 'PUT /v1/conversations/:id');
  if (!isLost) return after;
  const whole = await exchange(context, id, { ...rest, ...parameters });
  if (hasLost(before, whole, parameters))
    notify(context, 'warning', 'put-rule', 'This server resets other settings of a conversation when one is changed.');
  return whole;
}

export const isSparse = ({ timeFormat, contactId, groupId }: Conversation): boolean =>
  timeFormat === null || (contactId === null && groupId === null);

/** One that lacks what every conversation has is not the conversation yet. */
async function seen(context: SyncContext, answered: Conversation): Promise<Conversation> {
  return isSparse(answered) ? lookBack(context, answered.id) : answered;
}

async function exchange(
  context: SyncContext,
  id: ConversationId,
  parameters: UpdateConversationParameters,
): Promise<Conversation> {
  let answer: Answer<Conversation>;
  try {
    answer = await throughGate(context, () =>
      context.client().updateConversation(id, parameters, requestOptions(context)),
    );
  } catch (error) {
    const failure = apiError(error);
    // Done, and told in another way than the document has it: the conversation itself shows it.
    const isTaken = failure.kind === 'not-api' && failure.facts.status >= 200 && failure.facts.status < 300;
    if (!isTaken || failure.saysNo) throw error;
    return lookBack(context, id);
  }
  return seen(context, answer.value);
}

/** What became of a change; where that cannot be seen, what is held, and the user is told why. */
async function lookBack(context: SyncContext, id: ConversationId): Promise<Conversation> {
  const found = await look(context, id);
  if (found !== null) return found;
  const text =
    'What became of the change shows only in the conversation itself, which was not opened: you keep reading to yourself.';
  notify(context, 'warning', `unseen ${id}`, text);
  return stateOf(context).cache.conversations.get(id) ?? retrieve(context, id);
}

/** The settings that are not in `sent`, as they are; those that are off are off again when left out. */
function restOf(now: Conversation, sent: UpdateConversationParameters): UpdateConversationParameters {
  const { isPinned, isMuted, pinnedMessageId, archivedAt, timeFormat } = now;
  return {
    ...(isPinned && sent.isPinned === undefined ? { isPinned } : {}),
    ...(isMuted && sent.isMuted === undefined ? { isMuted } : {}),
    ...(pinnedMessageId !== null && sent.pinnedMessageId === undefined ? { pinnedMessageId } : {}),
    ...(archivedAt !== null && timeFormat !== null && sent.archivedAt === undefined
      ? { archivedAt: formatTime(archivedAt, timeFormat) }
      : {}),
  };
}

function hasLost(before: Conversation, after: Conversation, sent: UpdateConversationParameters): boolean {
  return (
    (sent.isPinned === undefined && before.isPinned && !after.isPinned) ||
    (sent.isMuted === undefined && before.isMuted && !after.isMuted) ||
    (sent.archivedAt === undefined && before.archivedAt !== null && after.archivedAt === null) ||
    (sent.pinnedMessageId === undefined && before.pinnedMessageId !== null && after.pinnedMessageId === null)
  );
}
