/** The ten operations of the API over HTTP: builds each request and returns typed answers (API document §4). */

import { normaliseBaseUrl } from '../protocol/base-url.ts';
import { isAddressable, isSendableReactionName } from '../protocol/fields.ts';
import { encodeAttachments, encodeFields, encodeReactions, joinForm } from '../protocol/form.ts';
import { parsePage } from '../protocol/page.ts';
import { parseConversation, parseMessage } from '../protocol/parse.ts';
import { conversationPath, conversationsPath, messagePath, messagesPath } from '../protocol/routes.ts';
import { compareText } from '../protocol/same-text.ts';
import { tokenProblem } from '../protocol/token.ts';
import type { Conversation, Message, Millis, PageCursor } from '../protocol/types.ts';
import { parseUrl } from '../protocol/web-address.ts';
import { ApiError, idMismatchCode } from './errors.ts';
import { bodyMark } from './http/body-mark.ts';
import type { TrustsOwner } from './http/listener-owner.ts';
import type { ProxySettings } from './http/proxy-tunnel.ts';
import { createRedact } from './http/redact.ts';
import { type Call, type Caller, createCaller, type Reply, type ResponseFacts } from './http/request.ts';
import type { OnRequest } from './http/sent-request.ts';
import { createTransport, defaultLimits, type Limits } from './http/transport.ts';
import type {
  Answer,
  Client,
  CreateConversationParameters,
  ListAnswer,
  ListConversationsParameters,
  SendMessageParameters,
  UpdateMessageParameters,
} from './operations.ts';

export interface ClientSettings {
  readonly baseUrl: string;
  readonly token: string;
  readonly userAgent?: string;
  /** Allows plain http to hosts other than loopback. */
  readonly insecureHttp?: boolean;
  /** Whether the token may go to a server on this machine that a given local user runs. Asked only without TLS. */
  readonly trustsOwner?: TrustsOwner;
  readonly proxy?: ProxySettings;
  /** PEM certificates to trust besides the built-in ones. */
  readonly ca?: string | readonly string[];
  /** Called once for each answer, whatever its status. */
  readonly onResponse?: (facts: ResponseFacts) => void;
  /** Called with the number of rows of a list that were left out because they have no usable id. */
  readonly onSkippedRows?: (count: number, path: string) => void;
  /** What the requests are for, in a few words, such as `doctor`; by default the reason names the operation. */
  readonly reason?: string;
  /** Called after each request, also after one without an answer, and before a second try of the same call. */
  readonly onRequest?: OnRequest;
  readonly limits?: Partial<Limits>;
}

/** Throws `ApiError` when the token or the base URL cannot be used; nothing is sent before the first call. */
export function createClient(settings: ClientSettings): Client {
  const token = settings.token.trim();
  const problem = tokenProblem(token);
  if (problem !== null) throw new ApiError({ kind: 'unauthorized', outcome: 'not-applied', message: problem });
  const insecureHttp = settings.insecureHttp === true;
  const base = normaliseBaseUrl(settings.baseUrl, { insecureHttp });
  if ('problem' in base) throw new ApiError({ kind: 'network', outcome: 'not-applied', message: base.problem });
  const limits = { ...defaultLimits, ...settings.limits };
  const redact = createRedact(token);
  // An id that comes from the server may hold anything.
  const onRequest: OnRequest = (sent) => settings.onRequest?.({ ...sent, path: redact(sent.path) });
  const connector = { ...settings, onRequest, insecureHttp, connectMs: limits.connectMs };
  const transport = createTransport(new URL(base.url).origin, connector, limits);
  const userAgent = settings.userAgent ?? 'msg-tui';
  const caller = createCaller(transport, { ...settings, baseUrl: base.url, token, userAgent, redact });
  return { ...messageOperations(caller), ...conversationOperations(caller), close: () => transport.close() };
}

function messageOperations(caller: Caller): Pick<Client, Extract<keyof Client, `${string}Message${string}`>> {
  const item = async (call: Call, id: string) => {
    const reply = await caller.call(call);
    return answerOf(reply, resourceOf(reply, parseMessage(reply.body, nowOf(reply)), id));
  };
  return {
    async listMessages({ conversationId, limit, cursor, ifNoneMatch }, options) {
      const query = { conversation_id: conversationId, limit: limit?.toString() };
      const reason = cursor === undefined ? 'newest messages' : 'messages, next page';
      const call = { path: messagesPath, query, cursor, ifNoneMatch, reason, signal: options?.signal };
      return list(caller, call, parseMessage);
    },
    async sendMessage(parameters, options) {
      const { conversationId, message, attachments, idempotencyKey } = parameters;
      const form = joinForm([
        encodeFields({ conversation_id: conversationId, message }),
        attachments === undefined ? '' : encodeAttachments(attachments),
      ]);
      const signal = options?.signal;
      const call = { method: 'POST', path: messagesPath, reason: 'send', form, idempotencyKey, signal } as const;
      const reply = await caller.call(call);
      return answerOf(reply, sentMessageOf(reply, parseMessage(reply.body, nowOf(reply)), parameters));
    },
    async retrieveMessage(id, options) {
      const path = pathOf(messagePath, id);
      return item({ method: 'GET', path, reason: 'one message', signal: options?.signal }, id);
    },
    async updateMessage(id, parameters, options) {
      const path = pathOf(messagePath, id);
      const reason = parameters.message === undefined ? 'reaction' : 'edit';
      return item({ method: 'PUT', path, reason, form: updateForm(parameters), signal: options?.signal }, id);
    },
    async deleteMessage(id, options) {
      const path = pathOf(messagePath, id);
      const call = { method: 'DELETE', path, reason: 'delete a message', signal: options?.signal } as const;
      return answerOf(await caller.call(call), null);
    },
  };
}

function conversationOperations(caller: Caller): Pick<Client, Extract<keyof Client, `${string}Conversation${string}`>> {
  const item = async (call: Call, id: string) => {
    const reply = await caller.call(call);
    return answerOf(reply, resourceOf(reply, parseConversation(reply.body, nowOf(reply)), id));
  };
  return {
    async listConversations(parameters, options) {
      return list(caller, listCall(parameters, options?.signal), parseConversation);
    },
    async createConversation(parameters, options) {
      const form = encodeFields(
        'contactId' in parameters ? { contact_id: parameters.contactId } : { group_id: parameters.groupId },
      );
      const { idempotencyKey } = parameters;
      const signal = options?.signal;
      const reason = 'new conversation';
      const call = { method: 'POST', path: conversationsPath, reason, form, idempotencyKey, signal } as const;
      const reply = await caller.call(call);
      return answerOf(reply, createdConversationOf(reply, parseConversation(reply.body, nowOf(reply)), parameters));
    },
    async retrieveConversation(id, options) {
      const path = pathOf(conversationPath, id);
      return item({ method: 'GET', path, reason: 'one conversation', signal: options?.signal }, id);
    },
    async updateConversation(id, { pinnedMessageId, isPinned, isMuted, archivedAt }, options) {
      const form = encodeFields({
        pinned_message_id: pinnedMessageId,
        is_pinned: isPinned,
        is_muted: isMuted,
        archived_at: archivedAt,
      });
      const path = pathOf(conversationPath, id);
      const reason = 'settings of a conversation';
      return item({ method: 'PUT', path, reason, form, signal: options?.signal }, id);
    },
    async deleteConversation(id, options) {
      const path = pathOf(conversationPath, id);
      const call = { method: 'DELETE', path, reason: 'delete a conversation', signal: options?.signal } as const;
      return answerOf(await caller.call(call), null);
    },
  };
}

function listCall(
  { limit, muted, archived, pinned, groupId, cursor, ifNoneMatch, waitSeconds }: ListConversationsParameters,
  signal: AbortSignal | undefined,
): Omit<Call, 'method'> {
  const query = {
    limit: limit?.toString(),
    muted: muted?.toString(),
    archived: archived?.toString(),
    pinned: pinned?.toString(),
    group_id: groupId,
  };
  const reason = cursor === undefined ? 'conversation list' : 'conversation list, next page';
  return { path: conversationsPath, query, cursor, ifNoneMatch, waitSeconds, reason, signal };
}

async function list<T extends { readonly id: string }>(
  caller: Caller,
  call: Omit<Call, 'method'>,
  parse: (row: unknown, now: Millis) => T | null,
): Promise<ListAnswer<T>> {
  const reply = await caller.call({ ...call, method: 'GET' });
  const wait = reply.isWaitApplied ? { isWaitApplied: true } : {};
  if (reply.isUnchanged) return { notModified: true, ...wait };
  const now = nowOf(reply);
  // A list without rows may be answered with 204 and no body.
  const body = reply.wire.status === 204 ? [] : reply.body;
  const page = parsePage(body, (row) => parse(row, now), reply.wire.headers.get('link') ?? null);
  if (page === null) throw reply.problem('its answer holds no list');
  if (page.skipped > 0) caller.onSkippedRows?.(page.skipped, call.path);
  const value = { ...page, next: ownCursor(page.next, call.path, caller.origin) };
  return { value, etag: reply.etag ?? bodyMark(reply.wire), serverDate: reply.serverDate, ...wait };
}

/**
 * Keeps a URL of the next page on this origin, so that no other server is sent the token (R-ORIGIN). A URL on another
 * origin comes from a server that does not know its own address: its query is sent to this origin instead.
 */
function ownCursor(next: PageCursor | null, path: string, origin: string): PageCursor | null {
  if (next?.kind !== 'url') return next;
  const url = parseUrl(next.url, origin);
  if (url === null) return null;
  if (url.origin === origin) return next;
  const parameters = Object.fromEntries(url.searchParams);
  return url.pathname.endsWith(path) && url.search !== '' ? { kind: 'query', parameters } : null;
}

function updateForm({ message, reactions, attachments }: UpdateMessageParameters): string {
  if (reactions?.some(({ name }) => !isSendableReactionName(name)) === true) {
    throw new ApiError({ kind: 'invalid', outcome: 'rejected', message: 'this reaction name cannot be sent' });
  }
  return joinForm([
    encodeFields({ message }),
    reactions === undefined ? '' : encodeReactions(reactions),
    attachments === undefined ? '' : encodeAttachments(attachments),
  ]);
}

function pathOf(path: (id: string) => string, id: string): string {
  if (isAddressable(id)) return path(id);
  throw new ApiError({ kind: 'unusable-id', outcome: 'not-applied', message: 'this id cannot be put into an address' });
}

/** The later of both clocks, so that a slow clock here does not make the server's times look like the future. */
function nowOf(reply: Reply): Millis {
  return Math.max(Date.now(), reply.serverDate ?? 0);
}

const answerOf = <T>({ etag }: Reply, value: T): Answer<T> => ({ value, etag });

/** Returns the parsed resource when it has the wanted id (null: any id). */
function resourceOf<T extends { readonly id: string }>(reply: Reply, parsed: T | null, wantedId: string | null): T {
  if (parsed === null) throw reply.problem('its answer is not what was asked for');
  if (wantedId !== null && parsed.id !== wantedId)
    throw reply.problem('its answer is another resource', idMismatchCode);
  return parsed;
}

/** Returns the message of an answer to a send when it is in the same conversation and its text can be recognised. */
function sentMessageOf(reply: Reply, parsed: Message | null, sent: SendMessageParameters): Message {
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
function createdConversationOf(
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
