/** Walks through the whole conversation list. */
import type { ServerCapabilities } from '../../protocol/capabilities.ts';
import type { Conversation, ConversationId } from '../../protocol/types.ts';
import type { Client, ListConversationsParameters } from '../operations.ts';
import { conversationSource, firstPage, isRefusal, type ListSource, pageOf } from './list-source.ts';
import { longListLimits, longListRows, observeList } from './observe.ts';
import { detectOrder } from './order.ts';
import { type PagePosition, PageWalker } from './page-walker.ts';

type Filter = Pick<ListConversationsParameters, 'muted' | 'archived' | 'pinned' | 'groupId'>;

export interface ConversationWalk {
  readonly client: Pick<Client, 'listConversations'>;
  readonly filter?: Filter;
  readonly capabilities: ServerCapabilities;
  /** Where an earlier walk of this list came to: what stands before it is not listed again. */
  readonly from?: PagePosition;
  /** Every page as it comes, and the first one again at the end; the walk goes on when it returns. */
  readonly onPage: (conversations: readonly Conversation[], place: PagePosition) => void | Promise<void>;
  readonly signal?: AbortSignal;
  readonly now?: () => number;
}

export interface WalkedConversations {
  readonly ids: ReadonlySet<string>;
  /** Whatever is not among them did not exist while the list was read; never true on a doubt (R-PAGE). */
  readonly complete: boolean;
  /** Nothing more is listed, though rows may have been left out or shifted. */
  readonly isEnd: boolean;
  /** No row was unreadable, and none can have slipped from one page to another as where pages are counted. */
  readonly isGapless: boolean;
  /** It stopped here and can go on from here; null when it came to the end, or sees no way on. */
  readonly resumeAt: PagePosition | null;
  readonly pages: number;
  readonly capabilities: ServerCapabilities;
}

/** Rejects with `ApiError`; what `onPage` was told stands all the same. */
export async function walkConversations(options: ConversationWalk): Promise<WalkedConversations> {
  const { client, filter = {}, signal, capabilities, from } = options;
  const source = conversationSource(client, filter, signal);
  const limits = longListLimits(capabilities);
  const { answer, limit } = from === undefined ? await firstPage(source, limits) : await pageAt(source, from);
  if ('notModified' in answer) {
    return { ids: new Set(), complete: false, isEnd: false, isGapless: false, resumeAt: null, pages: 0, capabilities };
  }
  const first = answer.value;
  const order = detectOrder(first.items.map((item) => item.lastActiveAt ?? item.createdAt));
  const place = from ?? { cursor: undefined, limit, rowsBefore: 0, number: 1 };
  const way = capabilities.conversationPaging?.value;
  const walk = new PageWalker({
    source,
    way,
    first,
    place,
    isNewestFirst: order !== 'oldest-first',
    mostRows: longListRows,
  });
  await options.onPage(first.items, place);
  let skipped = first.skipped;
  let step = await walk.next();
  while (step.kind === 'page') {
    await options.onPage(step.page.items, walk.place);
    skipped += step.page.skipped;
    step = await walk.next();
  }
  // One that became active meanwhile has moved to the top, past the walk.
  const top = walk.pages > 1 ? (await pageOf(source, { limit })).items : [];
  if (top.length > 0) await options.onPage(top, walk.place);
  const late = top.filter(({ id }) => !walk.ids.has(id)).map(({ id }) => id);
  const ids = late.length === 0 ? walk.ids : new Set([...walk.ids, ...late]);
  const needed = walk.pages > 1 || step.kind === 'stopped' ? walk.way : undefined;
  const reducedTo = limit < (limits[0] ?? 0) ? limit : null;
  const learned =
    from === undefined
      ? observeList(
          capabilities,
          'conversation',
          { order, rows: first.items.length, way: needed, grownTo: walk.grownTo, reducedTo: reducedTo },
          (options.now ?? Date.now)(),
        )
      : capabilities;
  const isGapless = skipped === 0 && !mayMissRows(walk);
  const isCut = step.kind === 'stopped' && (step.reason === 'page-limit' || step.reason === 'time-limit');
  return {
    ids,
    complete: step.kind === 'end' && step.isSure && from === undefined && isGapless,
    isEnd: step.kind === 'end',
    isGapless,
    resumeAt: isCut ? walk.place : null,
    pages: walk.pages,
    capabilities: learned,
  };
}

/** The page that an earlier walk came to. */
async function pageAt(source: ListSource<Conversation>, place: PagePosition) {
  const value = await pageOf(source, place);
  return { answer: { value }, limit: place.limit };
}

/** Counted pages leave a row out when one before it goes away meanwhile. */
function mayMissRows(walk: PageWalker<Conversation>): boolean {
  const { way } = walk;
  return walk.pages > 1 && way?.kind === 'parameter' && (way.name === 'page' || way.name === 'offset');
}

/** Whether a list shows it, the one of archived ones too, read no further than to it. Rejects with `ApiError`. */
export async function isListed(options: LookupOptions, id: ConversationId): Promise<boolean> {
  if (await listContains(options, {}, id)) return true;
  try {
    return await listContains(options, { archived: true }, id);
  } catch (error) {
    // There is none, or this server knows no such list.
    if (isRefusal(error)) return false;
    throw error;
  }
}

type LookupOptions = Pick<ConversationWalk, 'client' | 'capabilities' | 'signal'>;

async function listContains(
  { client, capabilities, signal }: LookupOptions,
  filter: Filter,
  id: ConversationId,
): Promise<boolean> {
  const source = conversationSource(client, filter, signal);
  const { answer, limit } = await firstPage(source, longListLimits(capabilities));
  if ('notModified' in answer) return false;
  const place = { cursor: undefined, limit, rowsBefore: 0, number: 1 };
  const way = capabilities.conversationPaging?.value;
  const walk = new PageWalker({ source, way, first: answer.value, place, isNewestFirst: true, mostRows: longListRows });
  while (!walk.ids.has(id)) {
    const step = await walk.next();
    if (step.kind !== 'page') return false;
  }
  return true;
}
