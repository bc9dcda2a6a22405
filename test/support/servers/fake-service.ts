/** A server of the API in memory, with a switch for every way in which an answer can be wrong. */
import { ApiError, type ApiErrorKind, type WriteOutcome } from '../../../src/api/errors.ts';
import type { Answer, Client } from '../../../src/api/operations.ts';
import { walkConversations } from '../../../src/api/paging/paging.ts';
import type {
  Attachment,
  AttachmentFields,
  Contact,
  Conversation,
  Message,
  Reaction,
} from '../../../src/protocol/types.ts';
import type { Paging } from '../../../src/sync/services/services.ts';
import * as eg from '../builders/eg.ts';
import { epoch, type FakeClock } from '../clocks/fake-clock.ts';

/** What happens to one request: applied or not, and then answered, refused or lost. */
export interface Fault {
  readonly applies: boolean | { readonly afterMs: number };
  readonly error: ApiError | 'hang';
}

export type ReactionsRule = 'replace' | 'add' | 'append' | 'toggle' | 'own-only';

export function apiFault(
  kind: ApiErrorKind,
  outcome: WriteOutcome,
  facts: { readonly status?: number; readonly retryAfterMs?: number; readonly code?: string } = {},
): ApiError {
  return new ApiError({
    kind,
    status: facts.status ?? 0,
    outcome,
    message: `${kind} ${facts.status ?? ''}`.trim(),
    requestId: null,
    retryAfterMs: facts.retryAfterMs ?? null,
    code: facts.code ?? null,
  });
}

export const contact = (id: string): Contact => ({
  id,
  username: `${id}-name`,
  phoneNumber: null,
  avatarUrl: null,
  lastActiveAt: null,
  createdAt: epoch - 1_000_000,
});

export const me = contact('me');

export interface FakeService {
  readonly client: Client;
  readonly paging: Paging;
  readonly conversations: Map<string, Conversation>;
  readonly messages: Map<string, Message>;
  /** Every request in order: `sendMessage hello`, `listMessages c1` … */
  readonly requests: string[];
  /** When each request came, on the monotonic clock. */
  readonly requestTimes: number[];
  /** Asked before each request; null = all goes well. */
  fault: (operation: string, subject: string) => Fault | null;
  /** Answers wait for this, so that a test can put events between request and answer. */
  hold: (operation: string, subject: string) => Promise<void> | null;
  rule: ReactionsRule;
  clearsWith: readonly string[];
  pageSize: number;
  /** So many requests for older messages are answered with none, and with the word that there are none. */
  denials: number;
  /** How far the clock of the service is behind. */
  behindMs: number;
  say(conversationId: string, text: string, from?: Contact, files?: readonly AttachmentFields[]): Message;
  addConversation(id: string, patch?: Partial<Conversation>): Conversation;
  postsOf(text: string): number;
  copiesOf(text: string): number;
}

/** The server gives each file an id of its own, and returns a form's numbers as texts. */
const attachment = (fields: AttachmentFields, index: number): Attachment => ({
  label: 'file',
  url: null,
  size: null,
  mediaType: null,
  fields: {
    id: `f${index}`,
    ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)])),
  },
});

export function fakeService(clock: FakeClock): FakeService {
  let counter = 0;
  const conversations = new Map<string, Conversation>();
  const messages = new Map<string, Message>();
  const now = (): number => Math.floor((clock.now() - service.behindMs) / 1000) * 1000;
  const answer = <T>(value: T, etag: string | null = null): Answer<T> => ({ value, etag });
  const notFound = (): ApiError => apiFault('not-found', 'rejected', { status: 404 });
  const must = <T>(value: T | undefined): T => {
    if (value === undefined) throw notFound();
    return value;
  };
  const historyOf = (id: string): readonly Message[] =>
    [...messages.values()].filter((one) => one.conversationId === id);

  const exchange = async <T>(
    operation: string,
    subject: string,
    signal: AbortSignal | undefined,
    act: () => T,
  ): Promise<T> => {
    service.requests.push(`${operation} ${subject}`);
    service.requestTimes.push(clock.monotonic());
    const fault = service.fault(operation, subject);
    await Promise.resolve();
    if (fault === null) {
      const isRead = operation.startsWith('list') || operation.startsWith('retrieve');
      const value = isRead ? act() : null;
      await service.hold(operation, subject);
      if (signal?.aborted === true) throw apiFault('aborted', 'ambiguous');
      return isRead ? (value as T) : act();
    }
    if (fault.applies === true) act();
    else if (fault.applies !== false) clock.after(fault.applies.afterMs, () => act());
    if (fault.error === 'hang')
      return new Promise<T>((_, reject) =>
        signal?.addEventListener('abort', () => reject(apiFault('aborted', 'ambiguous'))),
      );
    throw fault.error;
  };

  const service: FakeService = {
    conversations,
    messages,
    requests: [],
    requestTimes: [],
    fault: () => null,
    hold: () => null,
    rule: 'add',
    clearsWith: [''],
    pageSize: 50,
    denials: 0,
    behindMs: 0,
    say: (conversationId, text, from = contact('ann'), files = []) => {
      counter += 1;
      const message: Message = {
        id: `m${counter}`,
        conversationId,
        contact: from,
        text,
        isTruncated: false,
        reactions: [],
        attachments: files.map(attachment),
        readAt: null,
        createdAt: now(),
        updatedAt: null,
        rank: 0,
      };
      messages.set(message.id, message);
      const conversation = conversations.get(conversationId);
      if (conversation !== undefined) conversations.set(conversationId, { ...conversation, lastActiveAt: now() });
      return message;
    },
    addConversation: (id, patch = {}) => {
      const conversation = eg.conversation({
        id,
        contactId: 'ann',
        createdAt: epoch,
        timeFormat: { kind: 'number', unit: 's' },
        ...patch,
      });
      conversations.set(id, conversation);
      return conversation;
    },
    postsOf: (text) => service.requests.filter((request) => request === `sendMessage ${text}`).length,
    copiesOf: (text) => [...messages.values()].filter((message) => message.text === text).length,
    client: {
      listMessages: (parameters, options) =>
        exchange('listMessages', parameters.conversationId ?? '', options?.signal, () =>
          answer({
            items: historyOf(parameters.conversationId ?? '')
              .slice(-50)
              .reverse(),
            hasMore: false,
            next: null,
            skipped: 0,
          }),
        ),
      sendMessage: (parameters, options) =>
        exchange('sendMessage', parameters.message, options?.signal, () => {
          must(conversations.get(parameters.conversationId));
          return answer(service.say(parameters.conversationId, parameters.message, me, parameters.attachments));
        }),
      retrieveMessage: (id, options) =>
        exchange('retrieveMessage', id, options?.signal, () => answer(must(messages.get(id)))),
      updateMessage: (id, parameters, options) =>
        exchange('updateMessage', id, options?.signal, () => {
          const held = must(messages.get(id));
          const reactions =
            parameters.reactions === undefined
              ? held.reactions
              : react(service.rule, held.reactions, parameters.reactions);
          const next = { ...held, text: parameters.message ?? held.text, reactions, updatedAt: now() };
          messages.set(id, next);
          return answer(next);
        }),
      deleteMessage: (id, options) =>
        exchange('deleteMessage', id, options?.signal, () => {
          must(messages.get(id));
          messages.delete(id);
          return answer(null);
        }),
      listConversations: (parameters, options) =>
        exchange('listConversations', '', options?.signal, () => {
          const items = [...conversations.values()].sort((a, b) => (b.lastActiveAt ?? 0) - (a.lastActiveAt ?? 0));
          const etag = JSON.stringify(items);
          if (parameters.ifNoneMatch === etag) return { notModified: true as const };
          return answer({ items, hasMore: false, next: null, skipped: 0 }, etag);
        }),
      createConversation: (parameters, options) =>
        exchange('createConversation', '', options?.signal, () => {
          counter += 1;
          const target =
            'contactId' in parameters
              ? { contactId: parameters.contactId }
              : { contactId: null, groupId: parameters.groupId };
          return answer(service.addConversation(`new${counter}`, target));
        }),
      retrieveConversation: (id, options) =>
        exchange('retrieveConversation', id, options?.signal, () => answer(must(conversations.get(id)))),
      updateConversation: (id, parameters, options) =>
        exchange('updateConversation', id, options?.signal, () => {
          const held = must(conversations.get(id));
          const cleared = <T>(value: string | undefined, set: (text: string) => T, before: T): T | null =>
            value === undefined
              ? before
              : service.clearsWith.includes(value)
                ? null
                : value === '' || value === 'null'
                  ? before
                  : set(value);
          const next: Conversation = {
            ...held,
            isPinned: parameters.isPinned ?? held.isPinned,
            isMuted: parameters.isMuted ?? held.isMuted,
            archivedAt: cleared(parameters.archivedAt, (text) => Number(text) * 1000, held.archivedAt),
            pinnedMessageId: cleared(parameters.pinnedMessageId, (text) => text, held.pinnedMessageId),
          };
          conversations.set(id, next);
          return answer(next);
        }),
      deleteConversation: (id, options) =>
        exchange('deleteConversation', id, options?.signal, () => {
          must(conversations.get(id));
          conversations.delete(id);
          for (const message of historyOf(id)) messages.delete(message.id);
          return answer(null);
        }),
      close: async () => undefined,
    },
    paging: {
      fetchNewest: (request) =>
        exchange('listMessages', request.conversationId, request.signal, () => {
          const all = historyOf(request.conversationId);
          const etag = JSON.stringify(all);
          if (request.ifNoneMatch === etag) return { notModified: true as const };
          const page = all.slice(-service.pageSize);
          const isComplete = page.length === all.length;
          return {
            messages: page,
            connected: isComplete || page.some((message) => request.knownNewest.includes(message.id)),
            complete: isComplete,
            capabilities: request.capabilities,
            etag,
            serverDate: now(),
          };
        }),
      fetchOlder: (request) =>
        exchange('olderMessages', request.conversationId, request.signal, () => {
          if (service.denials > 0) {
            service.denials -= 1;
            return { messages: [], reachedStart: true, unreachable: false, capabilities: request.capabilities };
          }
          const all = historyOf(request.conversationId);
          const at = all.findIndex((message) => message.id === request.known[0]?.id);
          const page = all.slice(Math.max(0, at - service.pageSize), at);
          return {
            messages: page,
            reachedStart: at - service.pageSize <= 0,
            unreachable: false,
            capabilities: request.capabilities,
          };
        }),
      walkConversations,
    },
  };
  return service;
}

/** What the kinds of servers do with the reactions of a PUT; `me` is the caller. */
function react(rule: ReactionsRule, held: readonly Reaction[], sent: readonly Reaction[]): readonly Reaction[] {
  const own = me.username ?? '';
  const isOther = sent.some((reaction) => reaction.by.some((by) => by !== own));
  if (rule === 'own-only' && isOther) throw apiFault('forbidden', 'rejected', { status: 403 });
  const map = new Map(rule === 'replace' ? [] : held.map((reaction) => [reaction.name, reaction.by]));
  if (rule === 'own-only' && sent.length === 0)
    for (const [name, by] of map)
      map.set(
        name,
        by.filter((one) => one !== own),
      );
  for (const { name, by } of sent) {
    const before = map.get(name) ?? [];
    if (rule === 'own-only' && by.length === 0)
      map.set(
        name,
        before.filter((one) => one !== own),
      );
    else if (rule === 'replace') map.set(name, by);
    else if (rule === 'append') map.set(name, [...before, ...by]);
    else if (rule === 'toggle')
      map.set(name, [...before.filter((one) => !by.includes(one)), ...by.filter((one) => !before.includes(one))]);
    else map.set(name, [...new Set([...before, ...by])]);
  }
  return [...map].filter(([, by]) => by.length > 0).map(([name, by]) => ({ name, by }));
}
