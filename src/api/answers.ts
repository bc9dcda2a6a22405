/** Accepts a 2xx answer only when it shows the resource of the request (R-SEND-5); otherwise throws `ApiError`. */
import { compareText } from '../protocol/same-text.ts';
import type { Conversation, Message } from '../protocol/types.ts';
import { ApiError, idMismatchCode } from './errors.ts';
import { notApiError } from './http/failure.ts';
import type { Redact } from './http/redact.ts';
import type { Reply } from './http/request.ts';
import type { Answer, CreateConversationParameters, SendMessageParameters } from './operations.ts';

export function answerOf<T>(reply: Reply, value: T): Answer<T> {
  const { requestId, serverDate, etag } = reply;
  return { value, status: reply.wire.status, requestId, serverDate, etag };
}

/** Returns the parsed resource when it has the wanted id (null: any id). */
export function resourceOf<T extends { readonly id: string }>(
  reply: Reply,
  parsed: T | null,
  wantedId: string | null,
  redact: Redact,
): T {
  if (parsed === null) {
    throw notApiError(reply.label, reply.wire, 'its answer is not what was asked for', redact);
  }
  if (wantedId !== null && parsed.id !== wantedId) {
    throw notApiError(reply.label, reply.wire, 'its answer is another resource', redact, idMismatchCode);
  }
  return parsed;
}

/** Returns the message of an answer to a send when it is in the same conversation and its text can be recognised. */
export function sentMessageOf(
  reply: Reply,
  parsed: Message | null,
  sent: SendMessageParameters,
  redact: Redact,
): Message {
  const message = resourceOf(reply, parsed, null, redact);
  if (message.conversationId !== null && message.conversationId !== sent.conversationId) {
    throw notApiError(reply.label, reply.wire, 'its answer is a message of another conversation', redact);
  }
  const isOurs = isOurText(message, sent.message, message.conversationId !== null);
  const hint = message.text === '' ? 'its answer does not show the message' : 'its answer is another message';
  if (!isOurs) {
    const { facts } = notApiError(reply.label, reply.wire, hint, redact);
    throw new ApiError({ ...facts, namedId: message.id });
  }
  return message;
}

/** Returns the conversation of an answer to a creation when it is with the requested contact or group. */
export function createdConversationOf(
  reply: Reply,
  parsed: Conversation | null,
  asked: CreateConversationParameters,
  redact: Redact,
): Conversation {
  const conversation = resourceOf(reply, parsed, null, redact);
  const isWithOther =
    'contactId' in asked
      ? conversation.contactId !== null && conversation.contactId !== asked.contactId
      : conversation.groupId !== null && conversation.groupId !== asked.groupId;
  if (isWithOther) throw notApiError(reply.label, reply.wire, 'its answer is a conversation with someone else', redact);
  return conversation;
}

/** Whether the answer shows the sent text. It may leave the text out when it names the conversation. */
function isOurText(message: Message, sent: string, namesConversation: boolean): boolean {
  if (message.text === '' && namesConversation) return true;
  const whole = message.isTruncated ? sent.slice(0, message.text.length) : sent;
  return compareText(whole, message.text) !== 'other';
}
