/** Reads the conversation list a page at a time, and all of it into memory. */
import type { Client } from '../../api/operations.ts';
import type { WalkedConversations } from '../../api/paging/paging.ts';
import type { Conversation, ConversationId } from '../../protocol/types.ts';
import { learnCapabilities } from '../../state/local/capabilities.ts';
import type { ListPlace } from '../services/paging.ts';
import { apiError, request } from '../services/request.ts';
import { type Services, stateOf, update } from '../services/services.ts';
import { type Pulled, pulled } from './pulled.ts';

export interface ListPage {
  readonly rows: readonly Conversation[];
  readonly place: ListPlace;
}

export type ListStep = Pulled<ListPage, WalkedConversations>;

/**
 * Returns a function that reads the next page of a list, `from` where an earlier walk stopped, and at its end resolves
 * with the walk's result. Every request goes through the circuit breaker by itself.
 */
export function pagesOf(context: Services, filter: { readonly archived?: true }, from: ListPlace | null) {
  const client: Pick<Client, 'listConversations'> = {
    listConversations: (...call) => request(context, () => context.client().listConversations(...call)),
  };
  return pulled<ListPage, WalkedConversations>(async (onPage) => {
    const { capabilities } = stateOf(context).local;
    const result = await context.paging.walkConversations({
      client,
      capabilities,
      filter,
      signal: context.signal,
      onPage: (rows, place) => onPage({ rows, place }),
      ...(from === null ? {} : { from }),
    });
    update(context, learnCapabilities(capabilities, result.capabilities));
    return result;
  });
}

/**
 * Reads all conversations into memory, the archived ones by themselves where the plain list shows none. `complete`:
 * others did not exist while the lists were read. Rejects with ApiError.
 */
export async function listEverything(
  context: Services,
): Promise<{ readonly conversations: readonly Conversation[]; readonly complete: boolean }> {
  const found = new Map<ConversationId, Conversation>();
  const plain = await readInto(found, context, {});
  let { complete } = plain;
  const mayLackArchived = plain.resumeAt === null && [...found.values()].every(({ archivedAt }) => archivedAt === null);
  try {
    if (mayLackArchived) complete = (await readInto(found, context, { archived: true })).complete && complete;
  } catch (error) {
    if (!isUnknownFilter(error)) throw error;
  }
  return { conversations: [...found.values()], complete };
}

async function readInto(
  found: Map<ConversationId, Conversation>,
  context: Services,
  filter: { readonly archived?: true },
): Promise<WalkedConversations> {
  const next = pagesOf(context, filter, null);
  for (;;) {
    const step = await next();
    if ('result' in step) return step.result;
    for (const one of step.page.rows) found.set(one.id, one);
  }
}

/** The server refused the request, as one that does not know the filter does. A bug is thrown on. */
export function isUnknownFilter(error: unknown): boolean {
  const failure = apiError(error);
  return failure.kind === 'invalid' || failure.kind === 'not-found' || failure.bodySaysNo;
}
