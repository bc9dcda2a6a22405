/** Reads the whole list of conversations. */
import type { ServerCapabilities } from '../../protocol/capabilities.ts';
import type { Conversation, ConversationId, Page } from '../../protocol/types.ts';
import type { Client, ListConversationsParameters } from '../operations.ts';
import { conversationSource, defaultLimit, firstPage, isRefusal, type ListSource, pageOf } from './list-source.ts';
import { longListLimits, longListRows, observeList } from './observe.ts';
import { detectOrder } from './order.ts';
import { PageWalker } from './page-walker.ts';
import { firstPosition, type PagePosition } from './strategy.ts';

type Filter = Pick<ListConversationsParameters, 'muted' | 'archived' | 'pinned' | 'groupId'>;

export interface ConversationWalk {
  readonly client: Pick<Client, 'listConversations'>;
  readonly filter?: Filter;
  readonly capabilities: ServerCapabilities;
  /** Where an earlier walk of this list stopped; the rows before it are not read again. */
  readonly from?: PagePosition;
  /** Is given every page, and the first one again at the end; the walk waits for it. */
  readonly onPage: (conversations: readonly Conversation[], position: PagePosition) => void | Promise<void>;
  readonly signal?: AbortSignal;
  readonly now?: () => number;
}

export interface WalkedConversations {
  readonly ids: ReadonlySet<string>;
  /** What is not in `ids` did not exist while the list was read. False whenever that is in doubt (R-PAGE). */
  readonly complete: boolean;
  /** The walk came to the end of the list; rows may have been left out or shifted all the same. */
  readonly isEnd: boolean;
  /** No row was unreadable, and none can have moved from one page to another between two requests. */
  readonly isGapless: boolean;
  /** Where a later walk can go on; null when this one came to the end or found no way on. */
  readonly resumeAt: PagePosition | null;
  readonly pages: number;
  readonly capabilities: ServerCapabilities;
}

/** Rejects with `ApiError`; the pages that `onPage` was given before stay valid. */
export async function walkConversations(options: ConversationWalk): Promise<WalkedConversations> {
  const { client, filter = {}, signal, capabilities, from, onPage } = options;
  const source = conversationSource(client, filter, signal);
  const position = from ?? firstPosition(longListLimits(capabilities)[0] ?? defaultLimit);
  const read = from === undefined ? await firstPage(source, longListLimits(capabilities)) : await pageAt(source, from);
  if ('notModified' in read.answer) return { ...nothingRead, capabilities };
  const { limit } = read;
  const first = read.answer.value;
  const order = orderOf(first);
  const walk = walkerOf(source, capabilities, first, { ...position, limit }, order !== 'oldest-first');
  await onPage(first.items, walk.position);
  let skipped = first.skipped;
  let step = await walk.next();
  while (step.kind === 'page') {
    await onPage(step.page.items, walk.position);
    skipped += step.page.skipped;
    step = await walk.next();
  }
  const isGapless = skipped === 0 && !(walk.pages > 1 && walk.strategy?.missesRowsOnRemoval === true);
  const isCut = step.kind === 'stopped' && (step.reason === 'page-limit' || step.reason === 'time-limit');
  const ids = await rereadTop(source, walk, limit, onPage);
  const way = walk.pages > 1 || step.kind === 'stopped' ? walk.way : undefined;
  const reducedTo = limit < position.limit ? limit : null;
  const seen = { order, rows: first.items.length, way, grownTo: walk.grownTo, reducedTo };
  return {
    ids,
    complete: step.kind === 'end' && step.isSure && from === undefined && isGapless,
    isEnd: step.kind === 'end',
    isGapless,
    resumeAt: isCut ? walk.position : null,
    pages: walk.pages,
    capabilities:
      from === undefined ? observeList(capabilities, 'conversation', seen, (options.now ?? Date.now)()) : capabilities,
  };
}

const nothingRead = {
  ids: new Set<string>(),
  complete: false,
  isEnd: false,
  isGapless: false,
  resumeAt: null,
  pages: 0,
};

const orderOf = (page: Page<Conversation>) =>
  detectOrder(page.items.map((item) => item.lastActiveAt ?? item.createdAt));

/** The page at which an earlier walk stopped. */
async function pageAt(source: ListSource<Conversation>, position: PagePosition) {
  return { answer: { value: await pageOf(source, position) }, limit: position.limit };
}

/**
 * Reads the first page again after a walk of several pages, since a conversation that became active meanwhile has moved
 * to the top, past the walk. Resolves to the ids of all listed conversations.
 */
async function rereadTop(
  source: ListSource<Conversation>,
  walk: PageWalker<Conversation>,
  limit: number,
  onPage: ConversationWalk['onPage'],
): Promise<ReadonlySet<string>> {
  const top = walk.pages > 1 ? (await pageOf(source, { limit })).items : [];
  if (top.length > 0) await onPage(top, walk.position);
  const late = top.filter(({ id }) => !walk.ids.has(id)).map(({ id }) => id);
  return late.length === 0 ? walk.ids : new Set([...walk.ids, ...late]);
}

function walkerOf(
  source: ListSource<Conversation>,
  capabilities: ServerCapabilities,
  first: Page<Conversation>,
  position: PagePosition,
  isNewestFirst: boolean,
): PageWalker<Conversation> {
  const way = capabilities.conversationPaging?.value;
  return new PageWalker({ source, way, first, position, isNewestFirst, mostRows: longListRows });
}

type LookupOptions = Pick<ConversationWalk, 'client' | 'capabilities' | 'signal'>;

/**
 * Whether the server lists this conversation, among the archived ones too. Reads no further than to its row. Rejects
 * with `ApiError`.
 */
export async function isListed(options: LookupOptions, id: ConversationId): Promise<boolean> {
  if (await listContains(options, {}, id)) return true;
  try {
    return await listContains(options, { archived: true }, id);
  } catch (error) {
    // No conversation is archived, or this server does not know that list.
    if (isRefusal(error)) return false;
    throw error;
  }
}

async function listContains(
  { client, capabilities, signal }: LookupOptions,
  filter: Filter,
  id: ConversationId,
): Promise<boolean> {
  const source = conversationSource(client, filter, signal);
  const { answer, limit } = await firstPage(source, longListLimits(capabilities));
  if ('notModified' in answer) return false;
  const walk = walkerOf(source, capabilities, answer.value, firstPosition(limit), true);
  while (!walk.ids.has(id)) {
    const step = await walk.next();
    if (step.kind !== 'page') return false;
  }
  return true;
}
