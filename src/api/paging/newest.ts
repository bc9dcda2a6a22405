/**
 * Reads the newest messages of a conversation, up to a known one, in whichever order the server lists them. Where the
 * oldest come first, only the end of the list is read, if the server can be asked for it (server-differences: List
 * order).
 */
import type { ServerCapabilities } from '../../protocol/capabilities.ts';
import type { Message, MessageId, Millis, Page } from '../../protocol/types.ts';
import type { Client } from '../operations.ts';
import { type Bookmark, bookmarkOf, pageReached, setBookmark } from './bookmarks.ts';
import { firstPage, type HistorySource, type ListSource, messageSource, pageUnlessRefused } from './list-source.ts';
import { allowedLimit, detectOrder, inReadingOrder, observeList, ofConversation, usualLimit } from './observe.ts';
import { PageWalker, type Step } from './page-walker.ts';
import { firstPosition, type PagePosition, rowsOf, strategyOf } from './strategy.ts';

/** How many pages a poll reads to join the known messages; `fetchOlder` fills a larger gap. */
const maxPages = 40;

/** The parameters of every reading of a history. */
export interface HistoryOptions extends HistorySource {
  readonly client: Client;
  readonly capabilities: ServerCapabilities;
}

export interface NewestOptions extends HistoryOptions {
  /**
   * Ids known to be on the server, preferably oldest first: an oldest-first list is read from one of the last. Without
   * any, only the newest page is read.
   */
  readonly knownNewest: readonly MessageId[];
  /** The `etag` of the last answer of this function. */
  readonly ifNoneMatch?: string | undefined;
}

export interface Newest {
  /** Oldest first, equal times in the server's order. Known messages that were on the pages are among them. */
  readonly messages: readonly Message[];
  /** They reach back to a known id or to the start of the history, with nothing missing in between. */
  readonly connected: boolean;
  /** This is the whole history. */
  readonly complete: boolean;
  /** The newest messages are at the end of the list, and the server offers no way to get there. */
  readonly unreachable?: boolean;
  readonly capabilities: ServerCapabilities;
  /** How many pages were read; one when absent. */
  readonly pages?: number;
  /** For `ifNoneMatch` of the next call; null when there is none, or when it would hide a gap. */
  readonly etag: string | null;
  /** When the server gave the newest page, by its own clock; null or absent: it does not say. */
  readonly serverDate?: Millis | null;
}

export type NewestAnswer = Newest | { readonly notModified: true };

/** The page that a reading begins with. */
interface Start {
  readonly page: Page<Message>;
  readonly position: PagePosition;
  readonly order: ReturnType<typeof detectOrder>;
  /** It shows known messages near the end of a list that begins with the oldest ones. */
  readonly isTail: boolean;
  readonly etag: string | null;
  readonly serverDate: Millis | null;
  readonly reducedTo: number | null;
}

/** Rejects with `ApiError`. */
export async function fetchNewest(options: NewestOptions): Promise<NewestAnswer> {
  const source = messageSource(options);
  const known = new Set(options.knownNewest);
  const tail = await startAtTail(options, source, known);
  const fromTail = tail === null ? null : await readFrom(options, source, known, tail);
  if (fromTail?.hasEnded === true) return fromTail.newest;
  const top = await startAtTop(options, source);
  return top === 'not-modified' ? { notModified: true } : (await readFrom(options, source, known, top)).newest;
}

async function readFrom(
  { client, conversationId, capabilities }: NewestOptions,
  source: ListSource<Message>,
  known: ReadonlySet<MessageId>,
  start: Start,
): Promise<{ readonly newest: Newest; readonly hasEnded: boolean }> {
  const { page: first, position, order, isTail, reducedTo } = start;
  const isNewestFirst = !isTail && (order ?? capabilities.messageOrder?.value ?? 'newest-first') === 'newest-first';
  const way = capabilities.messagePaging?.value;
  const mostPages = isNewestFirst ? maxPages : undefined;
  const walk = new PageWalker({ source, way, first, position, isNewestFirst, maxPages: mostPages });
  const { rows, isJoined, end } = await joinToKnown(walk, known, isNewestFirst);
  if (!isNewestFirst) setBookmark(client, conversationId, { ...lastPages(walk, first), lastId: rows.at(-1)?.id });
  // A short oldest-first list is one page, with which each reading begins, and it shows when its first messages are gone.
  const beginsAtTop = position.cursor === undefined;
  const complete = beginsAtTop && end?.kind === 'end' && end.isSure && walk.skipped === 0;
  const isEndDoubtful = end?.kind === 'end' && !end.isSure && walk.page.hasMore === null;
  const hidesGap = known.size > 0 && !complete && !isJoined;
  const seen = { order, rows: first.items.length, way: walk.strategy?.way, grownTo: walk.grownTo, reducedTo };
  const newest = {
    messages: ofConversation(conversationId, inReadingOrder(rows, isNewestFirst ? 'newest-first' : 'oldest-first')),
    connected: complete || (isJoined && (isNewestFirst || isTail)),
    complete,
    unreachable: !isNewestFirst && (end?.kind === 'stuck' || isEndDoubtful),
    capabilities: observeList(capabilities, 'message', seen),
    etag: isNewestFirst && !hidesGap ? start.etag : null,
    serverDate: start.serverDate,
    pages: walk.pages,
  };
  return { newest, hasEnded: end?.kind === 'end' };
}

/**
 * Where the next reading of an oldest-first list begins: at its last page, or at the one before where the last has few
 * rows, so that edits of the latest messages are seen as well.
 */
function lastPages(walk: PageWalker<Message>, first: Page<Message>): Omit<Bookmark, 'lastId'> {
  const last = pageReached(walk);
  return walk.before === null || last.rows >= rowsOf(first) / 2 ? last : { ...last, position: walk.before };
}

/** Reads a newest-first list until a known id comes, and a list in any other order to its end. */
async function joinToKnown(walk: PageWalker<Message>, known: ReadonlySet<MessageId>, isNewestFirst: boolean) {
  const isKnown = (item: Message): boolean => known.has(item.id);
  /** In the server's order. */
  const rows = [...walk.page.items];
  let isJoined = rows.some(isKnown);
  let step: Step<Message> | null;
  do {
    step = isNewestFirst && (isJoined || known.size === 0) ? walk.finished() : await walk.next();
    if (step?.kind !== 'page') continue;
    rows.push(...step.fresh);
    isJoined ||= step.page.items.some(isKnown);
  } while (step?.kind === 'page');
  return { rows, isJoined, end: step };
}

async function startAtTop(options: NewestOptions, source: ListSource<Message>): Promise<Start | 'not-modified'> {
  const { capabilities } = options;
  // On an oldest-first list, an unchanged first page says nothing about the newest messages.
  const ifNoneMatch = capabilities.messageOrder?.value === 'oldest-first' ? undefined : options.ifNoneMatch;
  const { answer, limit, reducedTo } = await firstPage(source, [allowedLimit(capabilities, usualLimit)], ifNoneMatch);
  if ('notModified' in answer) return 'not-modified';
  const page = answer.value;
  const order = detectOrder(page.items.map((item) => item.createdAt));
  return {
    page,
    position: firstPosition(limit),
    order,
    isTail: false,
    etag: answer.etag,
    serverDate: answer.serverDate ?? null,
    reducedTo,
  };
}

/**
 * Begins an oldest-first list at its end. Resolves to null when the server cannot be asked for that, or when no known
 * message proves that nothing is missing in between: then the whole list has to be read.
 */
async function startAtTail(
  { client, conversationId, knownNewest, capabilities }: NewestOptions,
  source: ListSource<Message>,
  known: ReadonlySet<MessageId>,
): Promise<Start | null> {
  if (capabilities.messageOrder?.value !== 'oldest-first') return null;
  const limit = allowedLimit(capabilities, usualLimit);
  const strategy = strategyOf(capabilities.messagePaging?.value);
  // Half a page back, so that edits of the latest messages are seen as well. A shorter history is read as a whole: it
  // costs the same, and a few rows in order prove little.
  const after = knownNewest[knownNewest.length - Math.ceil(limit / 2)];
  const byId = after === undefined ? undefined : strategy?.afterId?.(after, limit);
  const position = strategy?.afterId == null ? bookmarkOf(client, conversationId)?.position : byId;
  if (position === undefined || known.size === 0) return null;
  const page = await pageUnlessRefused(source, position);
  const order = detectOrder(page?.items.map((item) => item.createdAt) ?? []);
  const isJoined = page?.items.some((item) => known.has(item.id)) === true;
  if (page === null || !isJoined || order === 'newest-first' || order === 'mixed') return null;
  return { page, position, order, isTail: true, etag: null, serverDate: null, reducedTo: null };
}
