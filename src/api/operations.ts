/** The `Client` interface: the ten operations of the API document §4, their parameters and answers. */
import type {
  ContactId,
  Conversation,
  ConversationId,
  GroupId,
  JsonValue,
  Message,
  MessageId,
  Millis,
  Page,
  PageCursor,
  Reaction,
} from '../protocol/types.ts';

export interface Answer<T> {
  readonly value: T;
  /**
   * The validator of this answer, for `ifNoneMatch` of the next request; null when there is none. A list always has
   * one, unless it is large.
   */
  readonly etag: string | null;
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
}

/** `notModified`: the server answered 304 to `ifNoneMatch`, or with the same text as then. */
export type ListAnswer<T> = (Answer<Page<T>> | { readonly notModified: true }) & {
  /** The server says that it has heeded `waitSeconds` (RFC 7240, `Preference-Applied`). */
  readonly isWaitApplied?: boolean;
  /** When the server answered, by its own clock (the `Date` header, RFC 9110 §6.6.1: whole seconds); null: it does not say. */
  readonly serverDate?: Millis | null;
};

export interface ListMessagesParameters {
  readonly conversationId?: ConversationId;
  readonly limit?: number | undefined;
  readonly cursor?: PageCursor | undefined;
  readonly ifNoneMatch?: string | undefined;
}

export interface SendMessageParameters {
  readonly conversationId: ConversationId;
  readonly message: string;
  readonly attachments?: readonly Readonly<Record<string, JsonValue>>[];
  readonly idempotencyKey: string;
}

/** Only the fields that are present are sent. */
export interface UpdateMessageParameters {
  readonly message?: string;
  /** `[]` sends `reactions=`, a reaction without strings `reactions[name][]=` (see server-differences). */
  readonly reactions?: readonly Reaction[];
  readonly attachments?: readonly Readonly<Record<string, JsonValue>>[];
}

export interface ListConversationsParameters {
  readonly limit?: number | undefined;
  readonly muted?: true;
  readonly archived?: true;
  readonly pinned?: true;
  readonly groupId?: GroupId;
  readonly cursor?: PageCursor | undefined;
  readonly ifNoneMatch?: string | undefined;
  /** The server may wait so long with its answer while the list is as `ifNoneMatch` says (RFC 7240, `Prefer: wait`). */
  readonly waitSeconds?: number | undefined;
}

export type CreateConversationParameters = { readonly idempotencyKey: string } & (
  | { readonly contactId: ContactId }
  | { readonly groupId: GroupId }
);

/** Strings are sent unchanged, so that the caller chooses how a field is cleared (`''`, `'null'`, `'0'`). */
export interface UpdateConversationParameters {
  readonly pinnedMessageId?: string;
  readonly isPinned?: boolean;
  readonly isMuted?: boolean;
  /** Already written in the server's own time format. */
  readonly archivedAt?: string;
}

/** Every call rejects with `ApiError` and nothing else. */
export interface Client {
  listMessages(parameters: ListMessagesParameters, options?: RequestOptions): Promise<ListAnswer<Message>>;
  sendMessage(parameters: SendMessageParameters, options?: RequestOptions): Promise<Answer<Message>>;
  retrieveMessage(id: MessageId, options?: RequestOptions): Promise<Answer<Message>>;
  updateMessage(id: MessageId, parameters: UpdateMessageParameters, options?: RequestOptions): Promise<Answer<Message>>;
  deleteMessage(id: MessageId, options?: RequestOptions): Promise<Answer<null>>;
  listConversations(
    parameters: ListConversationsParameters,
    options?: RequestOptions,
  ): Promise<ListAnswer<Conversation>>;
  createConversation(parameters: CreateConversationParameters, options?: RequestOptions): Promise<Answer<Conversation>>;
  retrieveConversation(id: ConversationId, options?: RequestOptions): Promise<Answer<Conversation>>;
  updateConversation(
    id: ConversationId,
    parameters: UpdateConversationParameters,
    options?: RequestOptions,
  ): Promise<Answer<Conversation>>;
  deleteConversation(id: ConversationId, options?: RequestOptions): Promise<Answer<null>>;
  /** Closes the connections. Calls under way reject with an `aborted` error. */
  close(): Promise<void>;
}
