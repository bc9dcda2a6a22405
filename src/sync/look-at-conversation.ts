/** One conversation as the server has it now; to retrieve it may count as reading it, so who keeps that to himself asks lists. */
import { messageSource } from '../api/list-source.ts';
import type { Conversation, ConversationId } from '../protocol/types.ts';
import { apiError, requestOptions, type SyncContext, stateOf, throughGate } from './context.ts';
import { listEverything } from './list-everything.ts';
import { isYoung } from './young.ts';

/** null: it cannot be seen without showing that it was read. Rejects with ApiError. */
export async function look(context: SyncContext, id: ConversationId): Promise<Conversation | null> {
  if (context.settings.revealReading) return retrieve(context, id);
  const { conversations } = await listEverything(context);
  return conversations.find((one) => one.id === id) ?? null;
}

async function retrieve(context: SyncContext, id: ConversationId): Promise<Conversation> {
  const answer = await throughGate(context, () => context.client().retrieveConversation(id, requestOptions(context)));
  return answer.value;
}

/**
 * Whether it is there still, and as what where that was seen; where every refusal is a 200, a "no" to this question
 * says that it is gone. Rejects with ApiError.
 */
export async function lookFor(context: SyncContext, id: ConversationId): Promise<Conversation | 'there' | null> {
  try {
    if (context.settings.revealReading) return await retrieve(context, id);
    return (await hasMessages(context, id)) || isYoungConversation(context, id) ? 'there' : await look(context, id);
  } catch (error) {
    if (saysGone(error)) return isYoungConversation(context, id) ? 'there' : null;
    throw error;
  }
}

/**
 * True when the server says so of the conversation itself, asked in a way that shows nobody anything: one without
 * messages has none to be marked as read. Rejects with ApiError.
 */
export async function isGone(context: SyncContext, id: ConversationId): Promise<boolean> {
  try {
    if (!(await hasMessages(context, id)) && context.settings.revealReading) await retrieve(context, id);
    return false;
  } catch (error) {
    if (saysGone(error)) return !isYoungConversation(context, id);
    throw error;
  }
}

function saysGone(error: unknown): boolean {
  const failure = apiError(error);
  return failure.kind === 'not-found' || failure.saysNo;
}

async function hasMessages(context: SyncContext, id: ConversationId): Promise<boolean> {
  const list = () => messageSource(context.client(), id, context.signal)({ limit: 1 });
  const answer = await throughGate(context, list);
  return (
    'value' in answer && answer.value.items.some((row) => row.conversationId === null || row.conversationId === id)
  );
}

/** Lists may not show it yet, and neither may whatever else is read. */
export const isYoungConversation = (context: SyncContext, id: ConversationId): boolean =>
  isYoung(context, stateOf(context).cache.conversations.get(id)?.createdAt ?? null);
