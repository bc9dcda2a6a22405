/** The ten operations of the API over HTTP: builds each request and returns typed answers (API document §4). */
import { normaliseBaseUrl } from '../protocol/base-url.ts';
import { encodeAttachments, encodeFields, encodeReactions, joinForm } from '../protocol/form.ts';
import { isAddressable, isSendableReactionName } from '../protocol/id.ts';
import { parsePage } from '../protocol/page.ts';
import { parseConversation, parseMessage } from '../protocol/parse.ts';
import { conversationPath, conversationsPath, messagePath, messagesPath } from '../protocol/routes.ts';
import { tokenProblem } from '../protocol/token.ts';
import type { Millis, PageCursor } from '../protocol/types.ts';
import { answerOf, createdConversationOf, resourceOf, sentMessageOf } from './answers.ts';
import { ApiError } from './errors.ts';
import { apiError, notApiError } from './http/failure.ts';
import { defaultLimits, type Limits } from './http/limits.ts';
import type { TrustsOwner } from './http/listener-owner.ts';
import type { ProxySettings } from './http/proxy.ts';
import { createRedact, type Redact } from './http/redact.ts';
import { type Call, type Caller, createCaller, type Reply, type ResponseFacts } from './http/request.ts';
import { createTransport, type Transport } from './http/transport.ts';
import type { Client, ListAnswer, RequestOptions, UpdateMessageParameters } from './operations.ts';

export interface ClientSettings {
  readonly baseUrl: string;
  readonly token: string;
  readonly userAgent?: string;
  /** Allows plain http to hosts other than loopback. */
  readonly insecureHttp?: boolean;
  /** Decides whether the token may go to a server on this machine that a given local user runs. Asked without TLS. */
  readonly trustsOwner?: TrustsOwner;
  readonly proxy?: ProxySettings;
  /** PEM certificates to trust besides the built-in ones. */
  readonly ca?: string | readonly string[];
  /** Called once for each answer, whatever its status. */
  readonly onResponse?: (facts: ResponseFacts) => void;
  /** Called with the number of rows of a list that were left out because they have no usable id. */
  readonly onSkippedRows?: (count: number, path: string) => void;
  readonly limits?: Partial<Limits>;
}

/** Throws `ApiError` when the token or the base URL cannot be used; nothing is sent before the first call. */
export function createClient(settings: ClientSettings): Client {
  const token = settings.token.trim();
  const redact = createRedact(token);
  const problem = tokenProblem(token);
  if (problem !== null) {
    throw new ApiError({
      kind: 'unauthorized',
      status: 0,
      outcome: 'not-applied',
      message: problem,
      requestId: null,
      retryAfterMs: null,
      code: null,
    });
  }
  const base = normaliseBaseUrl(settings.baseUrl, { insecureHttp: settings.insecureHttp === true });
  if ('problem' in base) throw apiError({ kind: 'network', outcome: 'not-applied', message: base.problem }, redact);
  const limits = { ...defaultLimits, ...settings.limits };
  const connector = {
    connectMs: limits.connectMs,
    insecureHttp: settings.insecureHttp === true,
    trustsOwner: settings.trustsOwner,
    proxy: settings.proxy,
    ca: settings.ca,
  };
  const transport = createTransport(new URL(base.url).origin, connector, limits);
  const userAgent = settings.userAgent ?? 'msg-tui';
  const { onResponse, onSkippedRows } = settings;
  const caller = createCaller(transport, { baseUrl: base.url, token, userAgent, redact, onResponse, onSkippedRows });
  return { ...messageOperations(caller, redact), ...conversationOperations(caller, redact), ...closing(transport) };
}

type MessageOperation = 'listMessages' | 'sendMessage' | 'retrieveMessage' | 'updateMessage' | 'deleteMessage';

function messageOperations(caller: Caller, redact: Redact): Pick<Client, MessageOperation> {
  const item = async (call: Call, id: string) => {
    const reply = await caller.call(call);
    return answerOf(reply, resourceOf(reply, parseMessage(reply.body, nowOf(reply)), id, redact));
  };
  return {
    async listMessages(parameters, options) {
      const query = { conversation_id: parameters.conversationId, limit: parameters.limit?.toString() };
      return list(caller, { ...listCall(messagesPath, query, parameters, options) }, parseMessage, redact);
    },
    async sendMessage(parameters, options) {
      const form = joinForm([
        encodeFields({ conversation_id: parameters.conversationId, message: parameters.message }),
        parameters.attachments === undefined ? '' : encodeAttachments(parameters.attachments),
      ]);
      const { idempotencyKey } = parameters;
      const reply = await caller.call({
        method: 'POST',
        path: messagesPath,
        form,
        idempotencyKey,
        signal: options?.signal,
      });
      const sent = sentMessageOf(reply, parseMessage(reply.body, nowOf(reply)), parameters, redact);
      return answerOf(reply, sent);
    },
    async retrieveMessage(id, options) {
      return item({ method: 'GET', path: pathOf(messagePath, id, redact), signal: options?.signal }, id);
    },
    async updateMessage(id, parameters, options) {
      const path = pathOf(messagePath, id, redact);
      return item({ method: 'PUT', path, form: updateForm(parameters, redact), signal: options?.signal }, id);
    },
    async deleteMessage(id, options) {
      const reply = await caller.call({
        method: 'DELETE',
        path: pathOf(messagePath, id, redact),
        signal: options?.signal,
      });
      return answerOf(reply, null);
    },
  };
}

type ConversationOperation =
  | 'listConversations'
  | 'createConversation'
  | 'retrieveConversation'
  | 'updateConversation'
  | 'deleteConversation';

function conversationOperations(caller: Caller, redact: Redact): Pick<Client, ConversationOperation> {
  const item = async (call: Call, id: string) => {
    const reply = await caller.call(call);
    return answerOf(reply, resourceOf(reply, parseConversation(reply.body, nowOf(reply)), id, redact));
  };
  return {
    async listConversations(parameters, options) {
      const query = {
        limit: parameters.limit?.toString(),
        muted: parameters.muted?.toString(),
        archived: parameters.archived?.toString(),
        pinned: parameters.pinned?.toString(),
        group_id: parameters.groupId,
      };
      return list(caller, listCall(conversationsPath, query, parameters, options), parseConversation, redact);
    },
    async createConversation(parameters, options) {
      const form = encodeFields(
        'contactId' in parameters ? { contact_id: parameters.contactId } : { group_id: parameters.groupId },
      );
      const { idempotencyKey } = parameters;
      const signal = options?.signal;
      const reply = await caller.call({ method: 'POST', path: conversationsPath, form, idempotencyKey, signal });
      const parsed = parseConversation(reply.body, nowOf(reply));
      return answerOf(reply, createdConversationOf(reply, parsed, parameters, redact));
    },
    async retrieveConversation(id, options) {
      return item({ method: 'GET', path: pathOf(conversationPath, id, redact), signal: options?.signal }, id);
    },
    async updateConversation(id, parameters, options) {
      const form = encodeFields({
        pinned_message_id: parameters.pinnedMessageId,
        is_pinned: parameters.isPinned,
        is_muted: parameters.isMuted,
        archived_at: parameters.archivedAt,
      });
      const path = pathOf(conversationPath, id, redact);
      return item({ method: 'PUT', path, form, signal: options?.signal }, id);
    },
    async deleteConversation(id, options) {
      const path = pathOf(conversationPath, id, redact);
      const reply = await caller.call({ method: 'DELETE', path, signal: options?.signal });
      return answerOf(reply, null);
    },
  };
}

function closing(transport: Transport): Pick<Client, 'close'> {
  return { close: () => transport.close() };
}

function listCall(
  path: string,
  query: Readonly<Record<string, string | undefined>>,
  parameters: Pick<Call, 'cursor' | 'ifNoneMatch'>,
  options: RequestOptions | undefined,
): Call {
  const { cursor, ifNoneMatch } = parameters;
  return { method: 'GET', path, query, cursor, ifNoneMatch, signal: options?.signal };
}

async function list<T extends { readonly id: string }>(
  caller: Caller,
  call: Call,
  parse: (row: unknown, now: Millis) => T | null,
  redact: Redact,
): Promise<ListAnswer<T>> {
  const reply = await caller.call(call);
  if (reply.wire.status === 304) return { notModified: true };
  const now = nowOf(reply);
  // A list without rows may be answered with 204 and no body.
  const body = reply.wire.status === 204 ? [] : reply.body;
  const page = parsePage(body, (row) => parse(row, now), reply.wire.headers.get('link') ?? null);
  if (page === null) {
    throw notApiError(reply.label, reply.wire, 'its answer holds no list', redact);
  }
  if (page.skipped > 0) caller.onSkippedRows?.(page.skipped, call.path);
  return answerOf(reply, { ...page, next: ownCursor(page.next, call.path, caller.origin) });
}

/**
 * Keeps a URL of the next page on this origin, so that no other server is sent the token (R-ORIGIN). A URL on another
 * origin comes from a server that does not know its own address: its query is sent to this origin instead.
 */
function ownCursor(next: PageCursor | null, path: string, origin: string): PageCursor | null {
  if (next?.kind !== 'url') return next;
  const url = URL.canParse(next.url, origin) ? new URL(next.url, origin) : null;
  if (url === null) return null;
  if (url.origin === origin) return next;
  const parameters = Object.fromEntries(url.searchParams);
  return url.pathname.endsWith(path) && url.search !== '' ? { kind: 'query', parameters } : null;
}

function updateForm(parameters: UpdateMessageParameters, redact: Redact): string {
  const { message, reactions, attachments } = parameters;
  if (reactions?.some(({ name }) => !isSendableReactionName(name)) === true) {
    throw apiError({ kind: 'invalid', outcome: 'rejected', message: 'this reaction name cannot be sent' }, redact);
  }
  return joinForm([
    encodeFields({ message }),
    reactions === undefined ? '' : encodeReactions(reactions),
    attachments === undefined ? '' : encodeAttachments(attachments),
  ]);
}

function pathOf(path: (id: string) => string, id: string, redact: Redact): string {
  if (isAddressable(id)) return path(id);
  throw apiError(
    { kind: 'unusable-id', outcome: 'not-applied', message: 'this id cannot be put into an address' },
    redact,
  );
}

/** The later of both clocks, so that a slow clock here does not make the server's times look like the future. */
function nowOf(reply: Reply): Millis {
  return Math.max(Date.now(), reply.serverDate ?? 0);
}
