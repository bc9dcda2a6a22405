/** Finds in the pages of a list the messages that come before the oldest known one. */
import type { PagingWay, ServerCapabilities } from '../../protocol/capabilities.ts';
import type { ConversationId, Message, MessageId, Page } from '../../protocol/types.ts';
import type { Client } from '../operations.ts';
import { bookmarkOf, setBookmark } from './bookmarks.ts';
import { defaultLimit, isRefusal, type ListSource, pageOf } from './list-source.ts';
import { detectOrder, ofConversation } from './order.ts';
import { PageWalker } from './page-walker.ts';
import { firstPosition, type PagePosition, rowsOf, strategyOf } from './strategy.ts';

export interface OlderOptions {
  readonly client: Client;
  readonly conversationId: ConversationId;
  /** The known messages, oldest first and without gaps. */
  readonly known: readonly Message[];
  readonly capabilities: ServerCapabilities;
  readonly limit?: number;
  readonly signal?: AbortSignal;
  readonly now?: () => number;
}

export interface Older {
  /** Messages before the oldest known one, oldest first. */
  readonly messages: readonly Message[];
  /** No message comes before them. */
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
  /** The order of the first page. */
  readonly order: ReturnType<typeof detectOrder>;
}

/**
 * Takes the rows of a page that was requested by the id of a known message. Returns null when a row is newer than the
 * oldest known message, which shows that the server ignores the cursor or reads it in the other direction. A way that
 * was not observed before (`isNewWay`) has to bring rows, each with a time.
 */
export function acceptPage(options: OlderOptions, page: Page<Message>, isNewWay: boolean): OlderRows | null {
  const known = new Set(options.known.map((message) => message.id));
  const oldest = options.known.find((message) => message.createdAt !== null)?.createdAt ?? null;
  const fresh = page.items.filter((item) => !known.has(item.id));
  const isOlder = fresh.every((item) => isBefore(item, oldest, !isNewWay));
  const overlaps = page.items.length - fresh.length;
  const items = ofConversation(options.conversationId, fresh);
  // The page holds one known row when its cursor was the second oldest message.
  if (!isOlder || overlaps > 1 || (isNewWay && items.length === 0)) return null;
  if (items.length === 0 && page.hasMore === true) return null;
  const rows = rowsOf(page);
  const reachedStart = page.hasMore === false || (page.hasMore === null && rows < defaultLimit);
  const order = detectOrder(page.items.map((item) => item.createdAt));
  return { items, reachedStart, unreachable: false, way: undefined, grownTo: null, order };
}

function isBefore(item: Message, oldest: number | null, whenUnknown: boolean): boolean {
  return item.createdAt === null || oldest === null ? whenUnknown : item.createdAt <= oldest;
}

/**
 * The page to begin with: after a bookmark where pages lead to one another, by the number of the known rows where they
 * are counted, else the first one. It shows a known row, which proves that nothing was left out.
 */
export function startPosition(options: OlderOptions, limit: number): PagePosition {
  const way = options.capabilities.messagePaging?.value;
  const strategy = way === undefined ? undefined : strategyOf(way);
  if (strategy?.needsPreviousPage === true) {
    const bookmark = bookmarkOf(options.client, options.conversationId);
    if (bookmark !== undefined && bookmark.lastId === options.known[0]?.id) return bookmark.position;
  }
  return strategy?.afterRows(options.known.length, limit) ?? firstPosition(limit);
}

/**
 * Walks from the page `first` until it has rows that are older than the known ones. Resolves to null when the walk
 * began behind the known messages, so that rows in between may be missing.
 */
export async function walkToKnown(
  options: OlderOptions,
  source: ListSource<Message>,
  first: Page<Message>,
  position: PagePosition,
  isFromTop: boolean,
): Promise<OlderRows | null> {
  const order = detectOrder(first.items.map((item) => item.createdAt));
  const isOldestFirst = (order ?? options.capabilities.messageOrder?.value) === 'oldest-first';
  const way = options.capabilities.messagePaging?.value;
  const walk = new PageWalker({ source, way, first, position, isNewestFirst: !isOldestFirst });
  const done = (items: readonly Message[], reachedStart: boolean, unreachable: boolean): OlderRows => {
    const needed = walk.pages > 1 || unreachable ? walk.way : undefined;
    if (!isOldestFirst) saveBookmark(options, walk, items.at(-1)?.id);
    return { items, reachedStart, unreachable, way: needed, grownTo: walk.grownTo, order };
  };
  const filter = isOldestFirst ? untilKnown(options.known) : afterKnown(options.known, isFromTop);
  let page = first;
  for (;;) {
    const { items, isOver } = filter(ofConversation(options.conversationId, page.items));
    if (items === null) return null;
    if (isOver) return done(items, isOldestFirst || page.hasMore === false, false);
    const step = await walk.next();
    if (step.kind === 'end') return done(isOldestFirst ? [] : items, step.isSure, !step.isSure);
    if (step.kind === 'stopped') return done([], false, step.reason === 'no-way' || step.reason === 'no-progress');
    page = step.page;
  }
}

/** `items`: the older rows so far, in the server's order; null when rows may have been left out before them. */
type PageFilter = (rows: readonly Message[]) => { readonly items: readonly Message[] | null; readonly isOver: boolean };

/** For newest-first lists: takes the rows after the last known one. */
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
    // No known row came where they should be: all of them were deleted, or the walk began after them.
    return isFromTop ? { items: older, isOver: true } : { items: null, isOver: false };
  };
}

/** For oldest-first lists: takes the rows up to the first known one. */
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

/** Keeps the page with the oldest row for the next call: its hint leads to older pages, and its rows prove the join. */
function saveBookmark(options: OlderOptions, walk: PageWalker<Message>, lastId: MessageId | undefined): void {
  if (walk.page.next === null || lastId === undefined) return;
  setBookmark(options.client, options.conversationId, { position: walk.position, lastId });
}

/** Requests the page; null when there is no position, or when the server refuses it. */
export async function tryPosition(
  source: ListSource<Message>,
  position: PagePosition | null,
): Promise<Page<Message> | null> {
  if (position === null) return null;
  try {
    return await pageOf(source, { limit: position.limit, cursor: position.cursor });
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}
