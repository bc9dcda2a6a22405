/** The newest messages of a conversation, joined to what is known already, whichever way round the server lists them. */
import type { PagingWay, ServerCapabilities } from '../../protocol/capabilities.ts';
import type { ConversationId, Message, MessageId, Page } from '../../protocol/types.ts';
import { ApiError } from '../errors.ts';
import type { Answer, Client } from '../operations.ts';
import { isListed } from './all-conversations.ts';
import { bookmarkOf, setBookmark } from './bookmarks.ts';
import { firstPage, isRefusal, type ListSource, messageSource, type PageRequest } from './list-source.ts';
import { allowedLimit, observeList, usualLimit } from './observe.ts';
import { detectOrder, inReadingOrder, ofConversation } from './order.ts';
import { type PagePosition, PageWalker, type Step } from './page-walker.ts';

/** Newest-first servers: how far a poll walks to join what is known; beyond it a gap is left to `fetchOlder`. */
const defaultMaxPages = 40;

export interface NewestOptions {
  readonly client: Client;
  readonly conversationId: ConversationId;
  /** Ids known to be on the server, best in reading order; empty: the newest page alone is wanted. */
  readonly knownNewest: readonly MessageId[];
  readonly capabilities: ServerCapabilities;
  readonly limit?: number;
  /** As the last answer of this function gave it. */
  readonly ifNoneMatch?: string;
  readonly maxPages?: number;
  readonly signal?: AbortSignal;
  readonly now?: () => number;
}

export interface Newest {
  /** Oldest first, ties in the server's order; known ones that were on the pages are among them. */
  readonly messages: readonly Message[];
  /** They reach back to a known id or to the start: nothing is missing in between. */
  readonly connected: boolean;
  /** This is the whole history. */
  readonly complete: boolean;
  /** The newest messages stand at the end of the list, and the server gives no way to it. */
  readonly unreachable?: true;
  /** There were rows, and all of them name this one other conversation. */
  readonly elsewhere?: ConversationId;
  readonly capabilities: ServerCapabilities;
  /** Requests that it took; one unless given. */
  readonly pages?: number;
  /** For the next call's `ifNoneMatch`; null when there is none, or when it would hide a gap. */
  readonly etag: string | null;
}

export type NewestAnswer = Newest | { readonly notModified: true };

/** Rejects with `ApiError`. */
export async function fetchNewest(options: NewestOptions): Promise<NewestAnswer> {
  const source = messageSource(options.client, options.conversationId, options.signal);
  const isOldestFirst = options.capabilities.messageOrder?.value === 'oldest-first';
  const tail = isOldestFirst ? await fetchTail(options, source) : null;
  if (tail !== null) return tail;
  const wanted = allowedLimit(options.capabilities, options.limit ?? usualLimit);
  const first = await firstPageOrEmpty(options, source, wanted, isOldestFirst ? undefined : options.ifNoneMatch);
  if ('notModified' in first.answer) return first.answer;
  const page = first.answer.value;
  const order = detectOrder(page.items.map((item) => item.createdAt));
  const isNewestFirst = (order ?? options.capabilities.messageOrder?.value ?? 'newest-first') === 'newest-first';
  const place = { cursor: undefined, limit: first.limit, rowsBefore: 0, number: 1 };
  const maxPages = isNewestFirst ? { maxPages: options.maxPages ?? defaultMaxPages } : {};
  const way = options.capabilities.messagePaging?.value;
  const walk = new PageWalker({ source, way, first: page, place, isNewestFirst, ...maxPages });
  const reducedTo = first.limit < wanted ? first.limit : null;
  const joined = await joinToKnown(options, walk, page, order, isNewestFirst);
  const rows = page.items.length;
  const lessons = { order: joined.order, rows, way: joined.way, grownTo: walk.grownTo, reducedTo };
  const capabilities = observeList(options.capabilities, 'message', lessons, (options.now ?? Date.now)());
  const hidesGap = options.knownNewest.length > 0 && !joined.connected;
  const etag = isNewestFirst && !hidesGap ? first.answer.etag : null;
  const { connected, complete, isCutOff } = joined;
  const messages = ofConversation(options.conversationId, joined.messages);
  const named = messages.length > 0 ? [] : [...new Set(joined.messages.map((message) => message.conversationId))];
  const [elsewhere] = named.length === 1 ? named : [];
  return {
    messages,
    connected,
    complete,
    capabilities,
    etag,
    pages: walk.pages,
    ...(isCutOff ? { unreachable: true } : {}),
    ...(typeof elsewhere === 'string' ? { elsewhere } : {}),
  };
}

interface FirstOrEmpty {
  readonly answer: Pick<Answer<Page<Message>>, 'value' | 'etag'> | { readonly notModified: true };
  readonly limit: number;
}

/**
 * Where nothing is found in a conversation that is listed, it is empty. The list is asked and not the conversation:
 * to retrieve that may count as reading it (server-differences: Marking as read).
 */
async function firstPageOrEmpty(
  options: NewestOptions,
  source: ListSource<Message>,
  limit: number,
  ifNoneMatch: string | undefined,
): Promise<FirstOrEmpty> {
  try {
    return await firstPage(source, limit, ifNoneMatch);
  } catch (error) {
    if (!(error instanceof ApiError) || error.kind !== 'not-found') throw error;
    if (!(await isListed(options, options.conversationId))) throw error;
    return { answer: { value: { items: [], hasMore: false, next: null, skipped: 0 }, etag: null }, limit };
  }
}

interface JoinResult extends Pick<Newest, 'messages' | 'connected' | 'complete'> {
  readonly order: ReturnType<typeof detectOrder>;
  readonly way: PagingWay | undefined;
  readonly isCutOff: boolean;
}

/** Walks until a known id comes (newest first), or to the end (any other order). */
async function joinToKnown(
  options: NewestOptions,
  walk: PageWalker<Message>,
  first: Page<Message>,
  order: ReturnType<typeof detectOrder>,
  isNewestFirst: boolean,
): Promise<JoinResult> {
  const known = new Set(options.knownNewest);
  const items = [...first.items];
  let skipped = first.skipped;
  let connected = items.some((item) => known.has(item.id));
  let complete = false;
  let isCutOff = false;
  const isEnough = () => isNewestFirst && (connected || known.size === 0);
  let way = first.next === null ? undefined : walk.way;
  while (!(isEnough() && walk.mayHaveMore)) {
    const step = await walk.next();
    if (walk.pages > 1 || step.kind === 'stopped') way = walk.way;
    if (step.kind !== 'page') {
      complete = step.kind === 'end' && step.isSure && skipped === 0;
      const isStuck = step.kind === 'stopped' && (step.reason === 'no-way' || step.reason === 'no-progress');
      isCutOff = !isNewestFirst && (isEndGuessed(step, walk) || isStuck);
      break;
    }
    items.push(...step.fresh);
    skipped += step.page.skipped;
    connected ||= step.page.items.some((item) => known.has(item.id));
  }
  if (isNewestFirst) bookmarkForOlder(options, walk, items);
  else bookmarkForTail(options, walk, items);
  const messages = inReadingOrder(items, isNewestFirst ? 'newest-first' : 'oldest-first');
  return { messages, connected: complete || (connected && isNewestFirst), complete, order, way, isCutOff };
}

/** Nobody says that there is more, and a cap would look like this. */
const isEndGuessed = (step: Step<Message>, walk: PageWalker<Message>): boolean =>
  step.kind === 'end' && !step.isSure && walk.page.hasMore === null;

/** So that older messages can be asked for from here. */
function bookmarkForOlder(options: NewestOptions, walk: PageWalker<Message>, items: readonly Message[]): void {
  const lastId = items.at(-1)?.id;
  if (walk.page.next === null || lastId === undefined) return;
  setBookmark(options.client, options.conversationId, { position: walk.place, lastId });
}

/** So that the next poll of an oldest-first list begins at its last page. */
function bookmarkForTail(options: NewestOptions, walk: PageWalker<Message>, items: readonly Message[]): void {
  const lastId = items.at(-1)?.id;
  if (lastId !== undefined) setBookmark(options.client, options.conversationId, { position: walk.place, lastId });
}

/**
 * Oldest-first: only what comes after a known message (server-differences: List order). null when that cannot be had, and the
 * whole list has to be walked. The validator carries the place it belongs to, as the address changes from poll to poll.
 */
async function fetchTail(options: NewestOptions, source: ListSource<Message>): Promise<NewestAnswer | null> {
  const place = tailPosition(options);
  if (place === null) return null;
  const prefix = `${JSON.stringify([place.cursor, place.limit])} `;
  const { ifNoneMatch } = options;
  const validator = ifNoneMatch?.startsWith(prefix) === true ? ifNoneMatch.slice(prefix.length) : undefined;
  const answer = await askPage(source, { ...place, ifNoneMatch: validator });
  if (answer === null || 'notModified' in answer) return answer;
  const first = answer.value;
  const known = new Set(options.knownNewest);
  const way = options.capabilities.messagePaging?.value;
  const isIdCursor = way?.kind === 'parameter' && way.name !== 'page' && way.name !== 'offset';
  const order = detectOrder(first.items.map((item) => item.createdAt));
  // What follows a known id is joined to it; any other page must show one.
  const isRising = order !== 'newest-first' && order !== 'mixed';
  const connected = isRising && (isIdCursor || first.items.some((item) => known.has(item.id)));
  if (!connected) return null;
  const items = [...first.items];
  const walk = new PageWalker({ source, way, first, place, isNewestFirst: false });
  let step = await walk.next();
  while (step.kind === 'page') {
    items.push(...step.fresh);
    step = await walk.next();
  }
  if (step.kind === 'stopped') return null;
  if (items.length > 0) bookmarkForTail(options, walk, items);
  // What was found out by the first walk holds for this one: a round number of rows may be all that is ever listed.
  const isCutOff = isEndGuessed(step, walk);
  const etag = answer.etag === null || isCutOff || walk.pages > 1 ? null : prefix + answer.etag;
  const messages = ofConversation(options.conversationId, inReadingOrder(items, 'oldest-first'));
  const unreachable = isCutOff ? ({ unreachable: true } as const) : {};
  return {
    messages,
    connected,
    complete: false,
    capabilities: options.capabilities,
    etag,
    pages: walk.pages,
    ...unreachable,
  };
}

function tailPosition(options: NewestOptions): PagePosition | null {
  const { knownNewest, capabilities } = options;
  const limit = allowedLimit(capabilities, options.limit ?? usualLimit);
  const way = capabilities.messagePaging?.value;
  if (way?.kind === 'parameter' && way.name !== 'page' && way.name !== 'offset') {
    // Half a page back, so that edits of the latest messages are seen as well. What is shorter is asked for as a whole:
    // it costs the same, and a few rows in order prove little.
    const after = knownNewest[knownNewest.length - Math.ceil(limit / 2)];
    if (after === undefined) return null;
    const cursor = { kind: 'query', parameters: { [way.name]: after } } as const;
    return { cursor, limit, rowsBefore: 0, number: 1 };
  }
  const bookmark = bookmarkOf(options.client, options.conversationId);
  return knownNewest.length === 0 || bookmark === undefined ? null : bookmark.position;
}

async function askPage(source: ListSource<Message>, request: PageRequest) {
  try {
    return await source(request);
  } catch (error) {
    if (request.cursor !== undefined && isRefusal(error)) return null;
    throw error;
  }
}
