/** Reads the whole list of conversations. */
import type { ServerCapabilities } from '../../protocol/capabilities.ts';
import type { Conversation } from '../../protocol/types.ts';
import type { Client } from '../operations.ts';
import { conversationSource, firstPage, pageIn } from './list-source.ts';
import { detectOrder, longListLimits, longListRows, observeList } from './observe.ts';
import { PageWalker } from './page-walker.ts';
import { firstPosition, type PagePosition } from './strategy.ts';

export interface ConversationWalk {
  readonly client: Pick<Client, 'listConversations'>;
  readonly filter?: { readonly archived?: true };
  readonly capabilities: ServerCapabilities;
  /** Where an earlier walk of this list stopped; the rows before it are not read again. */
  readonly from?: PagePosition | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ListPage {
  readonly rows: readonly Conversation[];
  /** How far the list was read. */
  readonly position: PagePosition;
}

export interface WalkedConversations {
  readonly ids: ReadonlySet<string>;
  /** Whether a conversation that is not in `ids` did not exist while the list was read. False when in doubt (R-PAGE). */
  readonly complete: boolean;
  /** The walk came to the end of the list; rows may have been left out or shifted all the same. */
  readonly isEnd: boolean;
  /** No row was unreadable, and none can have moved from one page to another between two requests. */
  readonly isGapless: boolean;
  /** Where a later walk can go on; null when this one came to the end or found no way on. */
  readonly resumeAt: PagePosition | null;
  /** How many pages were read, the first one included. */
  readonly pages: number;
  readonly capabilities: ServerCapabilities;
}

/**
 * Yields every page, and after a walk of several pages the first one again: a conversation that became active meanwhile
 * has moved to the top, past the walk. Rejects with `ApiError`; the pages that came before stay valid.
 */
export async function* walkConversations(options: ConversationWalk): AsyncGenerator<ListPage, WalkedConversations> {
  const { client, filter = {}, signal, capabilities, from } = options;
  const source = conversationSource(client, filter, signal);
  const { answer, limit, reducedTo } =
    from === undefined
      ? await firstPage(source, longListLimits(capabilities))
      : { answer: await source(from), limit: from.limit, reducedTo: null };
  const first = pageIn(answer);
  const order = detectOrder(first.items.map((item) => item.lastActiveAt ?? item.createdAt));
  const position = from ?? firstPosition(limit);
  const isNewestFirst = order !== 'oldest-first';
  const way = capabilities.conversationPaging?.value;
  const walk = new PageWalker({ source, way, first, position, isNewestFirst, mostRows: longListRows });
  yield { rows: first.items, position };
  let step = await walk.next();
  for (; step.kind === 'page'; step = await walk.next()) yield { rows: step.page.items, position: walk.position };
  const isGapless = walk.skipped === 0 && !(walk.pages > 1 && walk.strategy?.missesRowsOnRemoval === true);
  if (walk.pages > 1) {
    const { items: rows } = pageIn(await source({ limit }));
    yield { rows, position: walk.position };
    for (const { id } of rows) walk.ids.add(id);
  }
  const seen = { order, rows: first.items.length, way: walk.strategy?.way, grownTo: walk.grownTo, reducedTo };
  return {
    ids: walk.ids,
    complete: step.kind === 'end' && step.isSure && from === undefined && isGapless,
    isEnd: step.kind === 'end',
    isGapless,
    resumeAt: step.kind === 'cut' ? walk.position : null,
    pages: walk.pages,
    capabilities: from === undefined ? observeList(capabilities, 'conversation', seen) : capabilities,
  };
}
