/** One conversation changed and, where the answer does not show it, looked at; settings that went along are put back. */
import type { Answer, UpdateConversationParameters } from '../api/operations.ts';
import { formatTime } from '../protocol/time.ts';
import type { Conversation, ConversationId } from '../protocol/types.ts';
import { apiError, notify, remember, requestOptions, type SyncContext, stateOf, throughGate } from './context.ts';

/** The conversation as it is after the change. Rejects with ApiError when the change was not taken. */
export async function putConversation(
  context: SyncContext,
  id: ConversationId,
  parameters: UpdateConversationParameters,
): Promise<Conversation> {
  const before = stateOf(context).cache.conversations.get(id);
  if (before === undefined) return exchange(context, id, parameters);
  const rest = restOf(before, parameters);
  if (stateOf(context).local.traits.conversationPutRule?.value === 'full-replace')
    return exchange(context, id, { ...rest, ...parameters });
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

/** Also for the answer to a POST: one that lacks what every conversation has is not the conversation yet. */
export async function seen(context: SyncContext, answered: Conversation): Promise<Conversation> {
  const isSparse = answered.timeFormat === null || (answered.contactId === null && answered.groupId === null);
  return isSparse ? look(context, answered.id) : answered;
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
    return look(context, id);
  }
  return seen(context, answer.value);
}

/** null when it is gone; where every refusal is a 200, a "no" to this question says the same. */
export async function lookFor(context: SyncContext, id: ConversationId): Promise<Conversation | null> {
  try {
    return await look(context, id);
  } catch (error) {
    const failure = apiError(error);
    if (failure.kind === 'not-found' || failure.saysNo) return null;
    throw failure;
  }
}

async function look(context: SyncContext, id: ConversationId): Promise<Conversation> {
  const answer = await throughGate(context, () => context.client().retrieveConversation(id, requestOptions(context)));
  return answer.value;
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
