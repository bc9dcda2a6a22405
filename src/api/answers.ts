/** Accepts a 2xx answer only when it shows the resource of the request (R-SEND-5); otherwise throws `ApiError`. */
import { compareText } from '../protocol/same-text.ts';
import type { Conversation, Message } from '../protocol/types.ts';
import { ApiError, idMismatchCode } from './errors.ts';
import type { Reply } from './http/request.ts';
import type { Answer, CreateConversationParameters, SendMessageParameters } from './operations.ts';

export const answerOf = <T>({ etag }: Reply, value: T): Answer<T> => ({ value, etag });

/** Returns the parsed resource when it has the wanted id (null: any id). */
export function resourceOf<T extends { readonly id: string }>(
  reply: Reply,
  parsed: T | null,
  wantedId: string | null,
): T {
  if (parsed === null) throw reply.problem('its answer is not what was asked for');
  if (wantedId !== null && parsed.id !== wantedId)
    throw reply.problem('its answer is another resource', idMismatchCode);
  return parsed;
}

/** Returns the message of an answer to a send when it is in the same conversation and its text can be recognised. */
export function sentMessageOf(reply: Reply, parsed: Message | null, sent: SendMessageParameters): Message {
  const message = resourceOf(reply, parsed, null);
  const { conversationId, text } = message;
  if (conversationId !== null && conversationId !== sent.conversationId) {
    throw reply.problem('its answer is a message of another conversation');
  }
  if (isOurText(message, sent.message)) return message;
  const { facts } = reply.problem(
    text === '' ? 'its answer does not show the message' : 'its answer is another message',
  );
  throw new ApiError({ ...facts, namedId: message.id });
}

/** Returns the conversation of an answer to a creation when it is with the requested contact or group. */
export function createdConversationOf(
  reply: Reply,
  parsed: Conversation | null,
  asked: CreateConversationParameters,
): Conversation {
  const conversation = resourceOf(reply, parsed, null);
  const [wanted, named] =
    'contactId' in asked ? [asked.contactId, conversation.contactId] : [asked.groupId, conversation.groupId];
  if (named !== null && named !== wanted) throw reply.problem('its answer is a conversation with someone else');
  return conversation;
}

/** Whether the answer shows the sent text. It may leave the text out when it names the conversation. */
function isOurText({ text, isTruncated, conversationId }: Message, sent: string): boolean {
  if (text === '' && conversationId !== null) return true;
  return compareText(isTruncated ? sent.slice(0, text.length) : sent, text) !== 'other';
}
