/** Reads the whole conversation list, and the archived ones by themselves where the plain list leaves them out. */
import type { Client } from '../../api/operations.ts';
import type { WalkedConversations } from '../../api/paging/paging.ts';
import type { Conversation, ConversationId } from '../../protocol/types.ts';
import { learnCapabilities } from '../../state/local/capabilities.ts';
import type { ListPlace, OnListPage } from '../services/paging.ts';
import { apiError, request } from '../services/request.ts';
import { type Services, stateOf, update } from '../services/services.ts';

export interface Everything {
  readonly ids: ReadonlySet<ConversationId>;
  /** Conversations that are not in `ids` did not exist while the lists were read. */
  readonly complete: boolean;
  /** The plain list leaves out archived conversations. */
  readonly leavesOutArchived: boolean;
  /** The plain list was read to its end, though rows may have been left out or shifted. */
  readonly isEnd: boolean;
  /** Where reading it stopped and can go on. */
  readonly rest: ListPlace | null;
  readonly pages: number;
}

export interface WalkEverything {
  /** Archived ones are known to be in the plain list, or there are none. */
  readonly plainIsAll?: boolean;
  /** The plain list was read up to here before. */
  readonly from?: ListPlace | null;
  /** `isPlain`: a page of the list that leaves nothing out by our wish. */
  readonly onPage: (conversations: readonly Conversation[], place: ListPlace, isPlain: boolean) => void | Promise<void>;
}

/** Reads the plain list, and the archived one where the plain one may leave those out. Rejects with ApiError. */
export async function walkEverything(context: Services, options: WalkEverything): Promise<Everything> {
  const { plainIsAll = false, from = null, onPage } = options;
  let hasArchived = false;
  const plain = await walk(context, {}, from, (conversations, place) => {
    hasArchived ||= conversations.some((one) => one.archivedAt !== null);
    return onPage(conversations, place, true);
  });
  const { isEnd, resumeAt: rest, pages } = plain;
  if (plainIsAll || hasArchived || rest !== null) return { ...plain, rest, leavesOutArchived: false };
  const archived = await walkArchived(context, (conversations, place) => onPage(conversations, place, false));
  const others = [...archived.ids].filter((id) => !plain.ids.has(id));
  return {
    ids: others.length === 0 ? plain.ids : new Set([...plain.ids, ...others]),
    complete: plain.complete && archived.complete,
    leavesOutArchived: others.length > 0,
    isEnd,
    rest,
    pages: pages + archived.pages,
  };
}

/** Reads all conversations into memory. Rejects with ApiError. */
export async function listEverything(
  context: Services,
): Promise<{ readonly conversations: readonly Conversation[]; readonly complete: boolean }> {
  const found = new Map<ConversationId, Conversation>();
  const { complete } = await walkEverything(context, {
    onPage: (conversations) => {
      for (const one of conversations) found.set(one.id, one);
    },
  });
  return { conversations: [...found.values()], complete };
}

async function walk(
  context: Services,
  filter: { readonly archived?: true },
  from: ListPlace | null,
  onPage: OnListPage,
) {
  return request(context, () => walkList(context, context.client(), filter, from, onPage));
}

/**
 * Reads one list without going through the circuit breaker, which is left to the caller or to `client`. Rejects with
 * ApiError.
 */
export async function walkList(
  context: Services,
  client: Pick<Client, 'listConversations'>,
  filter: { readonly archived?: true },
  from: ListPlace | null,
  onPage: OnListPage,
): Promise<WalkedConversations> {
  const { capabilities } = stateOf(context).local;
  const result = await context.paging.walkConversations({
    client,
    capabilities,
    filter,
    signal: context.signal,
    onPage,
    ...(from === null ? {} : { from }),
  });
  update(context, learnCapabilities(capabilities, result.capabilities));
  return result;
}

/** Reads the list of archived conversations; empty on a server that does not know the filter. */
async function walkArchived(context: Services, onPage: OnListPage) {
  try {
    return await walk(context, { archived: true }, null, onPage);
  } catch (error) {
    if (!isUnknownFilter(error)) throw error;
    return { ids: new Set<ConversationId>(), complete: true, pages: 0 };
  }
}

/** The server refused the request, as one that does not know the filter does. A bug is thrown on. */
export function isUnknownFilter(error: unknown): boolean {
  const failure = apiError(error);
  return failure.kind === 'invalid' || failure.kind === 'not-found' || failure.bodySaysNo;
}
