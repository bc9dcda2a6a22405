/** Reads the messages directly before the oldest known one, in whichever way this server pages. */
import type { ServerCapabilities } from '../../protocol/capabilities.ts';
import type { Message, MessageId, Millis, Page } from '../../protocol/types.ts';
import { bookmarkOf, pageReached, setBookmark } from './bookmarks.ts';
import { firstPage, type ListSource, messageSource, pageIn, pageUnlessRefused } from './list-source.ts';
import type { HistoryOptions } from './newest.ts';
import { allowedLimit, detectOrder, inReadingOrder, observeList, ofConversation, usualLimit } from './observe.ts';
import { PageWalker, type Step } from './page-walker.ts';
import { firstPosition, type PagePosition, rowsOf, strategyOf } from './strategy.ts';

export interface OlderOptions extends HistoryOptions {
  /** The known messages, oldest first and without gaps. */
  readonly known: readonly Message[];
}

export interface Older {
  /** Messages before the oldest known one, oldest first. */
  readonly messages: readonly Message[];
  /** No message comes before them. */
  readonly reachedStart: boolean;
  /** The server has more messages and offers no way to get them. */
  readonly unreachable: boolean;
  readonly capabilities: ServerCapabilities;
}

interface Start {
  readonly page: Page<Message>;
  readonly position: PagePosition;
  /** The first page of the list; any other one has to show a known message, or rows may have been left out before it. */
  readonly isTop: boolean;
}

/** Rejects with `ApiError`. */
export async function fetchOlder(asked: OlderOptions): Promise<Older> {
  const options = { ...asked, known: placed(asked.known) };
  const source = messageSource(options);
  const limit = allowedLimit(options.capabilities, usualLimit);
  for (const position of startsNearKnown(options, limit)) {
    const page = await pageUnlessRefused(source, position);
    const found = page === null ? null : await readOn(options, source, { page, position, isTop: false });
    if (found !== null) return found;
  }
  const top = await firstPage(source, [limit]);
  const start = { page: pageIn(top.answer), position: firstPosition(top.limit), isTop: true };
  const { capabilities, known } = options;
  const found = await readOn(options, source, start);
  if (found === null) return { messages: [], reachedStart: false, unreachable: true, capabilities };
  // While the way was being found out, rows may have been removed before the page, and others have moved out of it.
  const isLearned = capabilities.messagePaging === undefined && known.length > 0;
  const way = strategyOf(found.capabilities.messagePaging?.value);
  const mayMiss = isLearned && way?.missesRowsOnRemoval === true;
  return mayMiss ? fetchOlder({ ...options, capabilities: found.capabilities }) : found;
}

/**
 * The pages of a newest-first list that should begin with one of the oldest known messages: by the id of the one after
 * it, by the bookmark, or by the number of the known rows.
 */
function startsNearKnown({ client, conversationId, known, capabilities }: OlderOptions, limit: number) {
  const strategy = strategyOf(capabilities.messagePaging?.value);
  const afterId = strategy?.afterId ?? null;
  const order = capabilities.messageOrder?.value ?? 'newest-first';
  if (strategy === undefined || order !== 'newest-first') return [];
  // The oldest message, or the one after it, may have been deleted on the server.
  if (afterId !== null) return known.slice(1, 3).map(({ id }) => afterId(id, limit));
  const bookmark = bookmarkOf(client, conversationId);
  if (bookmark === undefined || bookmark.lastId !== known[0]?.id) {
    const position = strategy.around(known.length, limit, limit) ?? strategy.withRow(known.length, limit);
    return position === null ? [] : [position];
  }
  const { position, rows } = bookmark;
  return [strategy.around(position.rowsBefore + rows, rows, limit) ?? position];
}

/**
 * Walks on from `start` until rows come that are older than the known ones. Null when the first page has no known row, so
 * that rows between may have been left out.
 */
async function readOn(options: OlderOptions, source: ListSource<Message>, start: Start): Promise<Older | null> {
  const { client, conversationId, known, capabilities } = options;
  const { page: first, position, isTop } = start;
  const order = detectOrder(first.items.map((item) => item.createdAt));
  const isOldestFirst = isTop && (order ?? capabilities.messageOrder?.value) === 'oldest-first';
  const way = capabilities.messagePaging?.value;
  const walk = new PageWalker({ source, way, first, position, isNewestFirst: !isOldestFirst });
  const filter = isOldestFirst ? untilKnown(known) : afterKnown(known, isTop);
  let rows = filter(ofConversation(conversationId, first.items));
  let end: Step<Message> | null = null;
  while (rows !== null && !rows.isOver) {
    end = await walk.next();
    if (end.kind !== 'page') break;
    rows = filter(ofConversation(conversationId, end.page.items));
  }
  if (rows === null) return null;
  if (rows.isOver && !isOldestFirst) rows = await withRowsMovedUp(rows, walk, source, options);
  if (rows.isOver) end = isOldestFirst ? { kind: 'end', isSure: true } : walk.finished();
  const isWhole = isOldestFirst && end?.kind === 'end' && end.isSure;
  const unjoined = isWhole ? notAfter(known, rows.items) : [];
  const messages = rows.isOver || !isOldestFirst ? rows.items : unjoined;
  // The page with the oldest row leads on to older ones.
  if (!isOldestFirst) setBookmark(client, conversationId, { ...pageReached(walk), lastId: messages.at(-1)?.id });
  const seen = { order, rows: first.items.length, way: walk.strategy?.way, grownTo: walk.grownTo, reducedTo: null };
  return {
    messages: inReadingOrder(messages, isOldestFirst ? 'oldest-first' : 'newest-first'),
    reachedStart: end?.kind === 'end' && end.isSure,
    unreachable: end?.kind === 'stuck' || (end?.kind === 'end' && !end.isSure),
    capabilities: observeList(capabilities, 'message', seen),
  };
}

/** The older rows so far, in the server's order. */
interface OlderRows {
  readonly items: readonly Message[];
  readonly isOver: boolean;
}

/** Null when rows may have been left out before those of the page. */
type PageFilter = (rows: readonly Message[]) => OlderRows | null;

/**
 * Adds the rows that moved out of the page between two requests, because rows before it were removed: both sides of its
 * beginning are read at once, where the server can be asked for that, else the page before once more.
 */
async function withRowsMovedUp(
  found: OlderRows,
  walk: PageWalker<Message>,
  source: ListSource<Message>,
  { conversationId, known }: Pick<OlderOptions, 'conversationId' | 'known'>,
): Promise<OlderRows> {
  const isKnown = new Set(known.map(({ id }) => id));
  if (walk.pages === 1 || walk.page.items.some(({ id }) => isKnown.has(id))) return found;
  const { rowsBefore, limit } = walk.position;
  const { missesRowsOnRemoval = false } = walk.strategy ?? {};
  const before = missesRowsOnRemoval ? walk.before : null;
  const position = walk.strategy?.around(rowsBefore, rowsOf(walk.page), limit) ?? before;
  const page = position === null ? null : await pageUnlessRefused(source, position);
  const across = page === null ? null : afterKnown(known, false)(ofConversation(conversationId, page.items));
  if (across === null) return found;
  const read = new Set(across.items.map(({ id }) => id));
  return { items: [...across.items, ...found.items.filter(({ id }) => !read.has(id))], isOver: true };
}

/**
 * The messages that show how far back the known ones reach. One without a time is sorted before all others, wherever the
 * server lists it. Where none has a time, the order is the server's.
 */
function placed(known: readonly Message[]): readonly Message[] {
  return isTimed(known) ? known.filter(({ createdAt }) => createdAt !== null) : known;
}

const isTimed = (messages: readonly Message[]): boolean => messages.some(({ createdAt }) => createdAt !== null);

/** For newest-first lists: takes the rows after the last known one. */
function afterKnown(known: readonly Message[], isFromTop: boolean): PageFilter {
  const ids = new Set(known.map((message) => message.id));
  const oldest = oldestTime(known);
  const items = new Map<MessageId, Message>();
  let isJoined = known.length === 0;
  return (rows) => {
    const last = rows.findLastIndex((row) => ids.has(row.id));
    isJoined ||= last >= 0;
    const rest = rows.slice(last + 1);
    if (isJoined) {
      for (const row of rest) items.set(row.id, row);
      // A row without a time may be known already, and alone it would lead no further back.
      const found = [...items.values()];
      return { items: found, isOver: found.length > 0 && (isTimed(found) || !isTimed(known)) };
    }
    // The page may be empty because the server does not know the message of the cursor any more.
    if (!isFromTop) return null;
    // Where no known row comes before older ones, all known ones were deleted.
    const older = rest.filter((row) => row.createdAt !== null && row.createdAt <= oldest);
    return { items: older, isOver: older.length > 0 };
  };
}

/** The rows that are older than all known ones, in a whole list that has none of these: they were deleted. */
function notAfter(known: readonly Message[], rows: readonly Message[]): readonly Message[] {
  const oldest = oldestTime(known);
  return rows.filter((row) => row.createdAt !== null && row.createdAt <= oldest);
}

const oldestTime = (known: readonly Message[]): Millis =>
  known.find((message) => message.createdAt !== null)?.createdAt ?? Number.NEGATIVE_INFINITY;

/** For oldest-first lists: takes the rows up to the first known one. */
function untilKnown(known: readonly Message[]): PageFilter {
  const ids = new Set(known.map((message) => message.id));
  const items = new Map<MessageId, Message>();
  return (rows) => {
    const first = rows.findIndex((row) => ids.has(row.id));
    for (const row of first < 0 ? rows : rows.slice(0, first)) items.set(row.id, row);
    return { items: [...items.values()], isOver: first >= 0 };
  };
}
