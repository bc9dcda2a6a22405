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

/**
 * Waits as long as the server asks for; false where it is not to be waited for.
 *
 * @param refusals how often the server has refused this page, the last time with `error`
 */
export type WaitOut = (error: ApiError, refusals: number) => Promise<boolean>;

export interface HistorySource {
  readonly client: Pick<Client, 'listMessages'>;
  readonly conversationId: ConversationId;
  readonly signal?: AbortSignal | undefined;
  /** For the pages after the first. A walk that began anew would never end where it takes more requests than are allowed at once. */
  readonly waitOut?: WaitOut | undefined;
}

export function messageSource({ client, conversationId, signal, waitOut }: HistorySource): ListSource<Message> {
  return async (request) => {
    for (let refusals = 1; ; refusals += 1) {
      try {
        return await client.listMessages({ conversationId, ...pageParameters(request) }, { signal });
      } catch (error) {
        if (request.cursor === undefined || !(error instanceof ApiError)) throw error;
        if ((await waitOut?.(error, refusals)) !== true) throw error;
      }
    }
  };
}

export function conversationSource(
  client: Pick<Client, 'listConversations'>,
  filter: Pick<ListConversationsParameters, 'archived'>,
  signal: AbortSignal | undefined,
): ListSource<Conversation> {
  return (request) => client.listConversations({ ...filter, ...pageParameters(request) }, { signal });
}

/** The parameters of one page. The usual ten rows need no limit, which some servers refuse whatever it is. */
export function pageParameters({ limit, cursor, ifNoneMatch }: PageRequest) {
  return { limit: limit === defaultLimit ? undefined : limit, cursor, ifNoneMatch };
}

/** The answer to a request without a validator, which is a page; if it is none after all, nothing follows from it. */
export const pageIn = <T>(answer: ListAnswer<T>): Page<T> =>
  'notModified' in answer ? { items: [], hasMore: null, next: null, skipped: 1 } : answer.value;

/**
 * Requests one page; null when the server refuses this request, so that another may work. Without a cursor in the
 * request, "not found" is about the list itself, and an answer that is too large shows that the limit is.
 */
export async function pageUnlessRefused<T>(
  source: ListSource<T>,
  { limit, cursor }: PageRequest,
): Promise<Page<T> | null> {
  try {
    return pageIn(await source({ limit, cursor }));
  } catch (error) {
    if (isRefusal(error) && (cursor !== undefined || error.kind !== 'not-found')) return null;
    if (cursor === undefined && error instanceof ApiError && error.facts.code === 'BODY_TOO_LARGE') return null;
    throw error;
  }
}

export interface FirstPage<T> {
  readonly answer: ListAnswer<T>;
  /** The limit that the server took. */
  readonly limit: number;
  /** The same limit where the server had refused a larger one; else null. */
  readonly reducedTo: number | null;
}

/** The first page with each of `limits` in turn until one is taken, at last without. Rejects with `ApiError`. */
export async function firstPage<T>(
  source: ListSource<T>,
  limits: readonly number[],
  ifNoneMatch?: string,
): Promise<FirstPage<T>> {
  for (const [index, limit] of limits.entries()) {
    const reducedTo = index === 0 ? null : limit;
    try {
      return { answer: await source({ limit, ifNoneMatch }), limit, reducedTo };
    } catch (error) {
      if (limit === defaultLimit || !isRefusal(error) || error.kind === 'not-found') throw error;
    }
  }
  return { answer: await source({ limit: defaultLimit, ifNoneMatch }), limit: defaultLimit, reducedTo: defaultLimit };
}

/** Whether the server refused the parameters, so that others may work: 4xx but 401, 403 and 429, or a "no" in a 2xx. */
function isRefusal(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  if (error.bodySaysNo) return true;
  const { kind, status } = error.facts;
  return status >= 400 && status <= 499 && (kind === 'invalid' || kind === 'not-found' || kind === 'too-large');
}
