/** Walks through the whole conversation list. */
import type { ServerTraits } from '../protocol/traits.ts';
import type { Conversation } from '../protocol/types.ts';
import { firstPage, type ListSource, pageOf, pageParameters } from './list-source.ts';
import type { Client, ListConversationsParameters } from './operations.ts';
import { detectOrder } from './order.ts';
import { allowedLimit, learnList, usualLimit } from './traits.ts';
import { Walk } from './walk.ts';

export interface AllConversationsOptions {
  readonly client: Client;
  readonly filter?: Pick<ListConversationsParameters, 'muted' | 'archived' | 'pinned' | 'groupId'>;
  readonly traits: ServerTraits;
  /** The new ones of each page, as it comes. */
  readonly onPage?: (conversations: readonly Conversation[]) => void;
  readonly signal?: AbortSignal;
  readonly now?: () => number;
}

export interface AllConversations {
  /** In the server's order. */
  readonly conversations: readonly Conversation[];
  /** Whatever is not among them did not exist while the list was read; never true on a doubt (R-PAGE). */
  readonly complete: boolean;
  readonly traits: ServerTraits;
}

/** Rejects with `ApiError`; what `onPage` was told stands all the same. */
export async function listAllConversations(options: AllConversationsOptions): Promise<AllConversations> {
  const { client, filter, signal, traits } = options;
  const source: ListSource<Conversation> = (request) =>
    client.listConversations({ ...filter, ...pageParameters(request) }, signal === undefined ? {} : { signal });
  const wanted = allowedLimit(traits, usualLimit);
  const { answer, limit } = await firstPage(source, wanted);
  if ('notModified' in answer) return { conversations: [], complete: false, traits };
  const first = answer.value;
  const order = detectOrder(first.items.map((item) => item.lastActiveAt ?? item.createdAt));
  const place = { cursor: undefined, limit, rowsBefore: 0, number: 1 };
  const way = traits.conversationPaging?.value;
  const walk = new Walk({ source, way, first, place, isNewestFirst: order !== 'oldest-first' });
  const found = new Map<string, Conversation>();
  const take = (items: readonly Conversation[]): void => {
    const fresh = items.filter((item) => !found.has(item.id));
    for (const item of items) found.set(item.id, item);
    if (fresh.length > 0) options.onPage?.(fresh);
  };
  take(first.items);
  let skipped = first.skipped;
  let step = await walk.next();
  while (step.kind === 'page') {
    take(step.page.items);
    skipped += step.page.skipped;
    step = await walk.next();
  }
  // One that became active meanwhile has moved to the top, past the walk.
  if (walk.pages > 1) take((await pageOf(source, { limit })).items);
  const needed = walk.pages > 1 || step.kind === 'stopped' ? walk.way : undefined;
  const lessons = { order, way: needed, grownTo: walk.grownTo, isLimitRefused: limit < wanted };
  const learned = learnList(traits, 'conversation', lessons, (options.now ?? Date.now)());
  const complete = step.kind === 'end' && step.isSure && skipped === 0 && !isShifting(walk);
  return { conversations: [...found.values()], complete, traits: learned };
}

/** Counted pages leave a row out when one before it goes away meanwhile. */
function isShifting(walk: Walk<Conversation>): boolean {
  const { way } = walk;
  return walk.pages > 1 && way?.kind === 'parameter' && (way.name === 'page' || way.name === 'offset');
}
