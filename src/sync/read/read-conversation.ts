/** One conversation as the server has it now; to retrieve it may count as reading it, so who keeps that to himself asks lists. */
import type { Conversation, ConversationId } from '../../protocol/types.ts';
import { apiError, request, requestOptions } from '../services/request.ts';
import { type Services, stateOf } from '../services/services.ts';
import { listEverything } from './full-list.ts';
import { isWithinLagWindow, lagWindowMs } from './lag-window.ts';

/** null: it cannot be seen without showing that it was read. Rejects with ApiError. */
export async function readConversation(context: Services, id: ConversationId): Promise<Conversation | null> {
  if (context.settings.revealReading) return retrieve(context, id);
  const { conversations } = await listEverything(context);
  return conversations.find((one) => one.id === id) ?? null;
}

async function retrieve(context: Services, id: ConversationId): Promise<Conversation> {
  const answer = await request(context, () => context.client().retrieveConversation(id, requestOptions(context)));
  return answer.value;
}

/**
 * Whether it is there still, and as what where that was seen; where every refusal is a 200, a "no" to this question
 * says that it is gone. Rejects with ApiError.
 */
export async function findConversation(context: Services, id: ConversationId): Promise<Conversation | 'there' | null> {
  if (!context.settings.revealReading) {
    const isThere = (await messagesIn(context, id)) === 'some' || isYoungConversation(context, id);
    return isThere ? 'there' : readConversation(context, id);
  }
  try {
    return await retrieve(context, id);
  } catch (error) {
    if (saysGone(error)) return isYoungConversation(context, id) ? 'there' : null;
    throw error;
  }
}

/**
 * As `lookFor`, of one that no list has shown: where another one is answered with, it is not there by this id.
 */
export async function findAbsentConversation(
  context: Services,
  id: ConversationId,
): Promise<Conversation | 'there' | null> {
  try {
    return await findConversation(context, id);
  } catch (error) {
    if (!apiError(error).isIdMismatch) throw error;
    return isYoungConversation(context, id) ? 'there' : null;
  }
}

/**
 * True when the server says so of the conversation itself, which no list has shown, asked in a way that shows nobody
 * anything: one without messages has none to be marked as read. Rejects with ApiError.
 */
export async function isConversationGone(context: Services, id: ConversationId): Promise<boolean> {
  const messages = await messagesIn(context, id);
  if (messages === 'some' || isYoungConversation(context, id)) return false;
  // Empty lists of messages are a 404 on some servers.
  return context.settings.revealReading ? (await findAbsentConversation(context, id)) === null : messages === 'refused';
}

/**
 * True when the server knows nothing by this id, or something else: also of one so young that nothing follows from that by
 * itself. Rejects with ApiError.
 */
export async function isConversationUnknown(context: Services, id: ConversationId): Promise<boolean> {
  if (!context.settings.revealReading) return (await messagesIn(context, id)) === 'refused';
  try {
    await retrieve(context, id);
    return false;
  } catch (error) {
    if (saysGone(error) || apiError(error).isIdMismatch) return true;
    throw error;
  }
}

/** The server shows it, or a message of it, whatever it has answered to a deletion. Rejects with ApiError. */
export async function doesConversationExist(context: Services, id: ConversationId): Promise<boolean> {
  if (context.settings.revealReading) return !(await isConversationUnknown(context, id));
  return (await messagesIn(context, id)) === 'some';
}

function saysGone(error: unknown): boolean {
  const failure = apiError(error);
  return failure.kind === 'not-found' || failure.bodySaysNo;
}

async function messagesIn(context: Services, id: ConversationId): Promise<'some' | 'none' | 'refused'> {
  const list = () => context.client().listMessages({ conversationId: id, limit: 1 }, requestOptions(context));
  try {
    const answer = await request(context, list);
    const rows = 'value' in answer ? answer.value.items : [];
    return rows.some((row) => row.conversationId === null || row.conversationId === id) ? 'some' : 'none';
  } catch (error) {
    if (saysGone(error)) return 'refused';
    throw error;
  }
}

/** Lists may not show it yet, and neither may whatever else is read. */
export const isYoungConversation = (context: Services, id: ConversationId): boolean => {
  const createdAt = context.created.get(id);
  if (createdAt !== undefined) return context.clock.monotonic() - createdAt < lagWindowMs;
  return isWithinLagWindow(context, stateOf(context).cache.conversations.get(id)?.createdAt ?? null);
};
