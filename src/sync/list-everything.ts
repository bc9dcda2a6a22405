/** Reads the whole conversation list, and the archived ones by themselves where the plain list leaves them out. */
import type { Conversation } from '../protocol/types.ts';
import { learnTraits } from '../state/local.ts';
import { apiError, type SyncContext, stateOf, throughGate, update } from './context.ts';

export interface Everything {
  readonly conversations: readonly Conversation[];
  /** Whatever is not among them did not exist while the lists were read. */
  readonly complete: boolean;
  /** Archived ones stand in a list of their own alone (API document §4.2 does not say). */
  readonly leavesOutArchived: boolean;
}

type OnPage = (conversations: readonly Conversation[]) => void;

export interface ListEverythingOptions {
  /** Archived ones are known to be in the plain list, or there are none. */
  readonly plainIsAll?: boolean;
  readonly onPage?: OnPage;
}

/** Rejects with ApiError. */
export async function listEverything(
  context: SyncContext,
  { plainIsAll = false, onPage }: ListEverythingOptions = {},
): Promise<Everything> {
  const plain = await walk(context, {}, onPage);
  if (plainIsAll || plain.conversations.some((one) => one.archivedAt !== null))
    return { ...plain, leavesOutArchived: false };
  const archived = await walkArchived(context, onPage);
  const known = new Set(plain.conversations.map((one) => one.id));
  const others = archived.conversations.filter((one) => !known.has(one.id));
  return {
    conversations: [...plain.conversations, ...others],
    complete: plain.complete && archived.complete,
    leavesOutArchived: others.length > 0,
  };
}

async function walk(context: SyncContext, filter: { readonly archived?: true }, onPage: OnPage | undefined) {
  const { traits } = stateOf(context).local;
  const result = await throughGate(context, () =>
    context.paging.listAllConversations({
      client: context.client(),
      traits,
      filter,
      signal: context.signal,
      ...(onPage === undefined ? {} : { onPage }),
    }),
  );
  update(context, learnTraits(traits, result.traits));
  return result;
}

/** A server that does not have the filter has no list of its own for them either. */
async function walkArchived(context: SyncContext, onPage: OnPage | undefined) {
  try {
    return await walk(context, { archived: true }, onPage);
  } catch (error) {
    const failure = apiError(error);
    if (failure.kind !== 'invalid' && failure.kind !== 'not-found' && !failure.saysNo) throw error;
    return { conversations: [], complete: true };
  }
}
