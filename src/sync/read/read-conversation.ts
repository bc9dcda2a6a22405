/** Asks for one conversation, or, where it may not be retrieved, for lists. */
import type { Conversation, ConversationId } from '../../protocol/types.ts';
import { lagWindowMs } from '../services/lag-window.ts';
import { apiError, request, requestOptions } from '../services/request.ts';
import { type Services, stateOf } from '../services/services.ts';
import { findListed } from './full-list.ts';
import { isWithinLagWindow } from './within-lag-window.ts';

/** A retrieval may count as reading, which the user does not reveal, or has not done while something is unread. */
export function mayRetrieve(context: Services, id: ConversationId): boolean {
  const { settings, cache } = stateOf(context);
  return settings.revealReading && !cache.unread.has(id);
}

/** The conversation as it is now; null when no list shows it and it may not be retrieved. Rejects with ApiError. */
export async function readConversation(context: Services, id: ConversationId): Promise<Conversation | null> {
  if (mayRetrieve(context, id)) return retrieve(context, id);
  const listed = await findListed(context, id);
  return listed === null && stateOf(context).settings.revealReading ? retrieve(context, id) : listed;
}

async function retrieve(context: Services, id: ConversationId): Promise<Conversation> {
  const answer = await request(context, () => context.client().retrieveConversation(id, requestOptions(context)));
  return answer.value;
}

/**
 * Asks whether the conversation still exists: the conversation itself, `there` when it exists but was not read, null
 * when it is gone. Some servers answer every refusal with a 200 and a "no" in the body, which means the same. Rejects
 * with ApiError.
 */
export async function findConversation(context: Services, id: ConversationId): Promise<Conversation | 'there' | null> {
  if (!stateOf(context).settings.revealReading) {
    const isThere = (await messagesIn(context, id)) === 'some' || isYoungConversation(context, id);
    return isThere ? 'there' : readConversation(context, id);
  }
  if (!mayRetrieve(context, id) && (await messagesIn(context, id)) === 'some') return 'there';
  try {
    return await retrieve(context, id);
  } catch (error) {
    if (saysGone(error)) return isYoungConversation(context, id) ? 'there' : null;
    throw error;
  }
}

/**
 * True when the server says that the conversation is gone. Its messages are asked for first: one that has none can be
 * retrieved without anything being marked as read. Rejects with ApiError.
 */
export async function isConversationGone(context: Services, id: ConversationId): Promise<boolean> {
  const messages = await messagesIn(context, id);
  if (messages === 'some' || isYoungConversation(context, id)) return false;
  // Empty lists of messages are a 404 on some servers.
  return stateOf(context).settings.revealReading ? isConversationUnknown(context, id) : messages === 'refused';
}

/**
 * True when the server has nothing by this id, or something else. Also true for a conversation that was created a
 * moment ago, so nothing follows from it alone. Rejects with ApiError.
 */
export async function isConversationUnknown(context: Services, id: ConversationId): Promise<boolean> {
  if (!stateOf(context).settings.revealReading) return (await messagesIn(context, id)) === 'refused';
  try {
    await retrieve(context, id);
    return false;
  } catch (error) {
    if (saysGone(error) || apiError(error).isIdMismatch) return true;
    throw error;
  }
}

/** True when the server shows it or a message of it, whatever it answered to a deletion. Rejects with ApiError. */
export async function doesConversationExist(context: Services, id: ConversationId): Promise<boolean> {
  if (stateOf(context).settings.revealReading) return !(await isConversationUnknown(context, id));
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

/** True when the conversation was created a moment ago, so lists and other reads may not show it yet. */
export const isYoungConversation = (context: Services, id: ConversationId): boolean => {
  const ageMs = context.unlisted.ageOfConversation(id);
  if (ageMs !== null) return ageMs < lagWindowMs;
  return isWithinLagWindow(context, stateOf(context).cache.conversations.get(id)?.createdAt ?? null);
};
