/** Reads the conversation list a page at a time, and all of it into memory. */
import type { Client } from '../../api/operations.ts';
import type { ListPage, WalkedConversations } from '../../api/paging/paging.ts';
import type { Conversation, ConversationId } from '../../protocol/types.ts';
import { learnCapabilities } from '../../state/local/capabilities.ts';
import { apiError, request } from '../services/request.ts';
import { type Services, stateOf, update } from '../services/services.ts';

/** Reads a list page by page, each request through the circuit breaker; `from` where an earlier walk stopped. */
export async function* pagesOf(
  context: Services,
  filter: { readonly archived?: true },
  from: ListPage['position'] | null,
): AsyncGenerator<ListPage, WalkedConversations> {
  const client: Pick<Client, 'listConversations'> = {
    listConversations: (...call) => request(context, () => context.client().listConversations(...call)),
  };
  const { signal, paging } = context;
  const { capabilities } = stateOf(context).local;
  const result = yield* paging.walkConversations({ client, capabilities, filter, signal, from: from ?? undefined });
  update(context, learnCapabilities(capabilities, result.capabilities));
  return result;
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
  const pages = pagesOf(context, filter, null);
  let step = await pages.next();
  for (; step.done !== true; step = await pages.next()) for (const one of step.value.rows) found.set(one.id, one);
  return step.value;
}

/** The conversation as the lists show it, read no further than to the page that has it; null where none has. Rejects with ApiError. */
export async function findListed(context: Services, id: ConversationId): Promise<Conversation | null> {
  for (const filter of [{}, { archived: true }] as const) {
    try {
      for await (const { rows } of pagesOf(context, filter, null)) {
        const found = rows.find((row) => row.id === id);
        if (found !== undefined) return found;
      }
    } catch (error) {
      if (!('archived' in filter) || !isUnknownFilter(error)) throw error;
    }
  }
  return null;
}

/** Whether the server refused the request, as it does when it does not know the filter. A bug is thrown on. */
export function isUnknownFilter(error: unknown): boolean {
  const failure = apiError(error);
  return failure.kind === 'invalid' || failure.kind === 'not-found' || failure.bodySaysNo;
}
