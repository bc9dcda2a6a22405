/** Requests pages of one list, and the first page with a smaller `limit` when the server refuses the wanted one. */
import type { Conversation, ConversationId, Message, Page, PageCursor } from '../../protocol/types.ts';
import { ApiError } from '../errors.ts';
import type { Client, ListAnswer, ListConversationsParameters } from '../operations.ts';

/** The number of rows in a page when the request names no limit (API document §8.1). */
export const defaultLimit = 10;

export interface PageRequest {
  readonly limit: number;
  readonly cursor?: PageCursor | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/** Rejects with `ApiError`. */
export type ListSource<T> = (request: PageRequest) => Promise<ListAnswer<T>>;

export function messageSource(
  client: Pick<Client, 'listMessages'>,
  conversationId: ConversationId,
  signal: AbortSignal | undefined,
): ListSource<Message> {
  const options = signal === undefined ? {} : { signal };
  return (request) => client.listMessages({ conversationId, ...pageParameters(request) }, options);
}

export function conversationSource(
  client: Pick<Client, 'listConversations'>,
  filter: Pick<ListConversationsParameters, 'muted' | 'archived' | 'pinned' | 'groupId'>,
  signal: AbortSignal | undefined,
): ListSource<Conversation> {
  const options = signal === undefined ? {} : { signal };
  return (request) => client.listConversations({ ...filter, ...pageParameters(request) }, options);
}

/** The parameters of one page as both list operations take them. */
export function pageParameters({ limit, cursor, ifNoneMatch }: PageRequest): {
  limit?: number;
  cursor?: PageCursor;
  ifNoneMatch?: string;
} {
  return {
    // A server that refused one limit may refuse every limit; without the parameter it gives ten rows.
    ...(limit === defaultLimit ? {} : { limit }),
    ...(cursor === undefined ? {} : { cursor }),
    ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }),
  };
}

/** A page without rows that says nothing about others. */
export const emptyPage = { items: [], hasMore: null, next: null, skipped: 0 } as const satisfies Page<never>;

/** Requests one page without a validator, so that the server has to send it. */
export async function pageOf<T>(source: ListSource<T>, request: Omit<PageRequest, 'ifNoneMatch'>): Promise<Page<T>> {
  const answer = await source(request);
  return 'notModified' in answer ? emptyPage : answer.value;
}

export interface FirstPage<T> {
  readonly answer: ListAnswer<T>;
  /** The limit that the server took. */
  readonly limit: number;
}

/**
 * Requests the first page with each of `limits` in turn until one is not refused, at last without a limit. Rejects with
 * `ApiError`.
 */
export async function firstPage<T>(
  source: ListSource<T>,
  limits: number | readonly number[],
  ifNoneMatch?: string | undefined,
): Promise<FirstPage<T>> {
  const [limit = defaultLimit, ...smaller] = typeof limits === 'number' ? [limits] : limits;
  try {
    return { answer: await source({ limit, ifNoneMatch }), limit };
  } catch (error) {
    if (limit === defaultLimit || !isRefusal(error) || error.kind === 'not-found') throw error;
    return firstPage(source, smaller, ifNoneMatch);
  }
}

/**
 * Whether the server refused the parameters, so that others may work: it answered 4xx other than 401, 403 and 429, or a
 * 2xx whose body says no.
 */
export function isRefusal(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  if (error.bodySaysNo) return true;
  const { kind, status } = error.facts;
  return status >= 400 && status <= 499 && (kind === 'invalid' || kind === 'not-found' || kind === 'too-large');
}
