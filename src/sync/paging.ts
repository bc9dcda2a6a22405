/** What sync asks of the walkers of `api/paging`, in its own words: pages of history and the whole conversation list. */
import type { Client } from '../api/operations.ts';
import type { ServerTraits } from '../protocol/traits.ts';
import type { Conversation, ConversationId, Message, MessageId } from '../protocol/types.ts';

/** Every call rejects with `ApiError` and nothing else. */
export interface Paging {
  readonly fetchNewest: (request: NewestRequest) => Promise<NewestAnswer>;
  readonly fetchOlder: (request: OlderRequest) => Promise<OlderAnswer>;
  readonly listAllConversations: (request: ListRequest) => Promise<ListAnswer>;
}

export interface NewestRequest {
  readonly client: Client;
  readonly conversationId: ConversationId;
  /** The walk goes on until it meets one of these, or the start of history. */
  readonly knownNewest: readonly MessageId[];
  readonly traits: ServerTraits;
  readonly limit: number;
  readonly ifNoneMatch?: string;
  readonly signal?: AbortSignal;
}

export type NewestAnswer =
  | { readonly notModified: true }
  | {
      /** Oldest first, in the server's order. */
      readonly messages: readonly Message[];
      /** A known id, or the start of history, was reached. */
      readonly connected: boolean;
      /** The whole history is in `messages`. */
      readonly complete: boolean;
      readonly traits: ServerTraits;
      readonly etag: string | null;
    };

export interface OlderRequest {
  readonly client: Client;
  readonly conversationId: ConversationId;
  /** Oldest first; the page before the first of them is wanted. */
  readonly known: readonly Message[];
  readonly traits: ServerTraits;
  readonly signal?: AbortSignal;
}

export interface OlderAnswer {
  /** Oldest first. */
  readonly messages: readonly Message[];
  readonly reachedStart: boolean;
  /** There is more, and no way to get it. */
  readonly unreachable: boolean;
  readonly traits: ServerTraits;
}

export interface ListRequest {
  readonly client: Client;
  readonly traits: ServerTraits;
  readonly onPage?: (conversations: readonly Conversation[]) => void;
  readonly signal?: AbortSignal;
}

export interface ListAnswer {
  readonly conversations: readonly Conversation[];
  /** Nothing was left out; only then may absence mean deletion. */
  readonly complete: boolean;
  readonly traits: ServerTraits;
}
