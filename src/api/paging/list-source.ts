/** One list of the server, and how its first page is asked for when the server dislikes our `limit`. */
import type { Conversation, ConversationId, Message, Page, PageCursor } from '../../protocol/types.ts';
import { ApiError } from '../errors.ts';
import type { Client, ListAnswer, ListConversationsParameters } from '../operations.ts';

/** API document §8.1: what a list returns when no limit is asked for. */
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
    // A server that refused our limit may refuse any; ten is what it gives without one.
    ...(limit === defaultLimit ? {} : { limit }),
    ...(cursor === undefined ? {} : { cursor }),
    ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }),
  };
}

/** A page that must be there: no validator was sent. */
export async function pageOf<T>(source: ListSource<T>, request: Omit<PageRequest, 'ifNoneMatch'>): Promise<Page<T>> {
  const answer = await source(request);
  return 'notModified' in answer ? { items: [], hasMore: null, next: null, skipped: 0 } : answer.value;
}

export interface FirstPage<T> {
  readonly answer: ListAnswer<T>;
  readonly limit: number;
}

/** The first page; a refused limit is given up for a smaller one, in the end for the default. */
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

/** The server did not like the parameters (4xx other than 401, 403 and 429, or a body that says no): another way may work. */
export function isRefusal(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  if (error.bodySaysNo) return true;
  const { kind, status } = error.facts;
  return status >= 400 && status <= 499 && (kind === 'invalid' || kind === 'not-found' || kind === 'too-large');
}
