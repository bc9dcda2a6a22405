/** What a page says about the messages before the oldest known one. */
import type { PagingWay, ServerCapabilities } from '../../protocol/capabilities.ts';
import type { ConversationId, Message, MessageId, Page, PageCursor } from '../../protocol/types.ts';
import type { Client } from '../operations.ts';
import { bookmarkOf, setBookmark } from './bookmarks.ts';
import { isRefusal, type ListSource, pageOf } from './list-source.ts';
import { detectOrder, ofConversation } from './order.ts';
import { type PagePosition, PageWalker } from './page-walker.ts';

export interface OlderOptions {
  readonly client: Client;
  readonly conversationId: ConversationId;
  /** Oldest first, without gaps. */
  readonly known: readonly Message[];
  readonly capabilities: ServerCapabilities;
  readonly limit?: number;
  readonly signal?: AbortSignal;
  readonly now?: () => number;
}

export interface Older {
  /** Oldest first; all of them before the oldest known one. */
  readonly messages: readonly Message[];
  /** Nothing comes before them. */
  readonly reachedStart: boolean;
  /** The server has more and gives no way to it. */
  readonly unreachable: boolean;
  readonly capabilities: ServerCapabilities;
}

export interface OlderRows {
  /** In the server's order. */
  readonly items: readonly Message[];
  readonly reachedStart: boolean;
  readonly unreachable: boolean;
  readonly way: PagingWay | undefined;
  readonly grownTo: number | null;
  readonly order: ReturnType<typeof detectOrder>;
}

/**
 * Rows count only when none is newer than the oldest known one: a server that ignores the cursor, or reads it the other
 * way round, gives itself away. A way not yet learned must bring rows, and of known time.
 */
export function acceptPage(options: OlderOptions, page: Page<Message>, isNewWay: boolean): OlderRows | null {
  const known = new Set(options.known.map((message) => message.id));
  const oldest = options.known.find((message) => message.createdAt !== null)?.createdAt ?? null;
  const fresh = page.items.filter((item) => !known.has(item.id));
  const isOlder = fresh.every((item) => isBefore(item, oldest, !isNewWay));
  const overlaps = page.items.length - fresh.length;
  const items = ofConversation(options.conversationId, fresh);
  // One known row more may come when the cursor had to be the second oldest.
  if (!isOlder || overlaps > 1 || (isNewWay && items.length === 0)) return null;
  if (items.length === 0 && page.hasMore === true) return null;
  const rows = page.items.length + page.skipped;
  const reachedStart = page.hasMore === false || (page.hasMore === null && rows < 10);
  const order = detectOrder(page.items.map((item) => item.createdAt));
  return { items, reachedStart, unreachable: false, way: undefined, grownTo: null, order };
}

function isBefore(item: Message, oldest: number | null, whenUnknown: boolean): boolean {
  return item.createdAt === null || oldest === null ? whenUnknown : item.createdAt <= oldest;
}

/** Hints go on from the page before; pages and offsets are counted, one row short, so that a known row shows that nothing was left out. */
export function startPosition(options: OlderOptions, limit: number): PagePosition {
  const way = options.capabilities.messagePaging?.value;
  const rowsBefore = Math.max(0, options.known.length - 1);
  const top = { cursor: undefined, limit, rowsBefore: 0, number: 1 };
  if (way?.kind === 'hint') {
    const bookmark = bookmarkOf(options.client, options.conversationId);
    return bookmark !== undefined && bookmark.lastId === options.known[0]?.id ? bookmark.position : top;
  }
  if (way?.kind === 'limit') {
    let larger = limit;
    while (larger <= options.known.length) larger *= 2;
    return { ...top, limit: larger };
  }
  if (way?.kind !== 'parameter' || rowsBefore === 0) return top;
  const number = Math.floor(rowsBefore / limit) + 1;
  if (way.name === 'page' && number > 1) {
    return { cursor: query('page', number), limit, rowsBefore: (number - 1) * limit, number };
  }
  if (way.name === 'offset') return { cursor: query('offset', rowsBefore), limit, rowsBefore, number };
  return top;
}

/** null: the walk began beyond the known messages. */
export async function walkToKnown(
  options: OlderOptions,
  source: ListSource<Message>,
  first: Page<Message>,
  place: PagePosition,
  isFromTop: boolean,
): Promise<OlderRows | null> {
  const order = detectOrder(first.items.map((item) => item.createdAt));
  const isOldestFirst = (order ?? options.capabilities.messageOrder?.value) === 'oldest-first';
  const way = options.capabilities.messagePaging?.value;
  const walk = new PageWalker({ source, way, first, place, isNewestFirst: !isOldestFirst });
  const done = (items: readonly Message[], reachedStart: boolean, unreachable: boolean): OlderRows => {
    const needed = walk.pages > 1 || unreachable ? walk.way : undefined;
    if (!isOldestFirst) saveBookmark(options, walk, items.at(-1)?.id);
    return { items, reachedStart, unreachable, way: needed, grownTo: walk.grownTo, order };
  };
  const sieve = isOldestFirst ? untilKnown(options.known) : afterKnown(options.known, isFromTop);
  let page = first;
  for (;;) {
    const { items, isOver } = sieve(ofConversation(options.conversationId, page.items));
    if (items === null) return null;
    if (isOver) return done(items, isOldestFirst || page.hasMore === false, false);
    const step = await walk.next();
    if (step.kind === 'end') return done(isOldestFirst ? [] : items, step.isSure, !step.isSure);
    if (step.kind === 'stopped') return done([], false, step.reason === 'no-way' || step.reason === 'no-progress');
    page = step.page;
  }
}

/** `items`: older rows so far, in the server's order; null: rows may have been left out. */
type PageFilter = (rows: readonly Message[]) => { readonly items: readonly Message[] | null; readonly isOver: boolean };

/** Newest first: what comes after the last known row. */
function afterKnown(known: readonly Message[], isFromTop: boolean): PageFilter {
  const ids = new Set(known.map((message) => message.id));
  const oldest = known.find((message) => message.createdAt !== null)?.createdAt ?? null;
  let isJoined = known.length === 0;
  return (rows) => {
    const last = rows.findLastIndex((row) => ids.has(row.id));
    isJoined ||= last >= 0;
    const rest = rows.slice(last + 1).filter((row) => !ids.has(row.id));
    if (isJoined) return { items: rest, isOver: rest.length > 0 };
    const older = rest.filter((row) => isBefore(row, oldest, false));
    if (older.length === 0) return { items: [], isOver: false };
    // Past the place where the known rows should be: all of them gone, or jumped over.
    return isFromTop ? { items: older, isOver: true } : { items: null, isOver: false };
  };
}

/** Oldest first: everything up to the first known row. */
function untilKnown(known: readonly Message[]): PageFilter {
  const ids = new Set(known.map((message) => message.id));
  const items: Message[] = [];
  const seen = new Set<MessageId>();
  return (rows) => {
    const first = rows.findIndex((row) => ids.has(row.id));
    for (const row of first < 0 ? rows : rows.slice(0, first)) {
      if (!seen.has(row.id)) items.push(row);
      seen.add(row.id);
    }
    return { items, isOver: first >= 0 };
  };
}

/** The page with the oldest row is where the next search begins: its own hint leads on, and its rows prove the join. */
function saveBookmark(options: OlderOptions, walk: PageWalker<Message>, lastId: MessageId | undefined): void {
  if (walk.page.next === null || lastId === undefined) return;
  setBookmark(options.client, options.conversationId, { position: walk.place, lastId });
}

export async function tryCursor(
  source: ListSource<Message>,
  limit: number,
  cursor: PageCursor | undefined,
): Promise<Page<Message> | null> {
  try {
    return await pageOf(source, { limit, cursor });
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

function query(name: string, value: number): PageCursor {
  return { kind: 'query', parameters: { [name]: String(value) } };
}
