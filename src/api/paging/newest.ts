/** Reads the newest messages of a conversation, up to a known one, in whichever order the server lists them. */
import type { ListOrder, PagingWay } from '../../protocol/capabilities.ts';
import type { ConversationId, Message, Page } from '../../protocol/types.ts';
import { ApiError } from '../errors.ts';
import type { Answer } from '../operations.ts';
import { isListed } from './all-conversations.ts';
import { setBookmark } from './bookmarks.ts';
import { firstPage, type ListSource, messageSource } from './list-source.ts';
import type { Newest, NewestAnswer, NewestOptions } from './newest-answer.ts';
import { allowedLimit, observeList, usualLimit } from './observe.ts';
import { detectOrder, inReadingOrder, ofConversation } from './order.ts';
import { isEndInferred, PageWalker, type Step } from './page-walker.ts';
import { firstPosition } from './strategy.ts';
import { fetchTail } from './tail.ts';

/** How many pages a poll reads to join the known messages; `fetchOlder` fills a larger gap. */
const defaultMaxPages = 40;

/** Rejects with `ApiError`. */
export async function fetchNewest(options: NewestOptions): Promise<NewestAnswer> {
  const source = messageSource(options.client, options.conversationId, options.signal);
  if (options.capabilities.messageOrder?.value !== 'oldest-first') {
    return fetchFromTop(options, source, options.ifNoneMatch);
  }
  return (await fetchTail(options, source)) ?? (await fetchFromTop(options, source, undefined));
}

/** Reads from the first row of the list. */
async function fetchFromTop(
  options: NewestOptions,
  source: ListSource<Message>,
  ifNoneMatch: string | undefined,
): Promise<NewestAnswer> {
  const { capabilities, knownNewest, conversationId } = options;
  const wanted = allowedLimit(capabilities, options.limit ?? usualLimit);
  const { answer, limit } = await firstPageOrEmpty(options, source, wanted, ifNoneMatch);
  if ('notModified' in answer) return answer;
  const first = answer.value;
  const order = detectOrder(first.items.map((item) => item.createdAt));
  const isNewestFirst = (order ?? capabilities.messageOrder?.value ?? 'newest-first') === 'newest-first';
  const walk = new PageWalker({
    source,
    way: capabilities.messagePaging?.value,
    first,
    position: firstPosition(limit),
    isNewestFirst,
    ...(isNewestFirst ? { maxPages: options.maxPages ?? defaultMaxPages } : {}),
  });
  const joined = await joinToKnown(options, walk, first, isNewestFirst);
  const { rows, connected, complete, isCutOff, way } = joined;
  const reducedTo = limit < wanted ? limit : null;
  const seen = { order, rows: first.items.length, way, grownTo: walk.grownTo, reducedTo };
  const hidesGap = knownNewest.length > 0 && !connected;
  return {
    ...messagesOf(conversationId, rows, isNewestFirst ? 'newest-first' : 'oldest-first'),
    connected,
    complete,
    capabilities: observeList(capabilities, 'message', seen, (options.now ?? Date.now)()),
    etag: isNewestFirst && !hidesGap ? answer.etag : null,
    pages: walk.pages,
    ...(isCutOff ? { unreachable: true } : {}),
  };
}

/** The messages of the conversation in reading order. `elsewhere`: there are none, since all rows name another one. */
function messagesOf(
  id: ConversationId,
  rows: readonly Message[],
  order: ListOrder,
): Pick<Newest, 'messages' | 'elsewhere'> {
  const messages = ofConversation(id, inReadingOrder(rows, order));
  if (messages.length > 0) return { messages };
  const [elsewhere, ...others] = new Set(rows.map((message) => message.conversationId));
  return typeof elsewhere === 'string' && others.length === 0 ? { messages, elsewhere } : { messages };
}

interface FirstOrEmpty {
  readonly answer: Pick<Answer<Page<Message>>, 'value' | 'etag'> | { readonly notModified: true };
  readonly limit: number;
}

/**
 * A conversation that is listed, and whose messages are answered with "not found", is empty. The list of conversations
 * is asked for it and not the conversation, since retrieving that may count as reading it (server-differences: Marking
 * as read).
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

interface JoinResult extends Pick<Newest, 'connected' | 'complete'> {
  /** In the server's order. */
  readonly rows: readonly Message[];
  readonly way: PagingWay | undefined;
  readonly isCutOff: boolean;
}

/** Reads a newest-first list until a known id comes, and a list in any other order to its end. */
async function joinToKnown(
  options: NewestOptions,
  walk: PageWalker<Message>,
  first: Page<Message>,
  isNewestFirst: boolean,
): Promise<JoinResult> {
  const known = new Set(options.knownNewest);
  const rows = [...first.items];
  let skipped = first.skipped;
  let connected = rows.some((item) => known.has(item.id));
  let end: Step<Message> | null = null;
  let way = first.next === null ? undefined : walk.way;
  const isEnough = () => isNewestFirst && (connected || known.size === 0);
  while (end === null && !(isEnough() && walk.mayHaveMore)) {
    const step = await walk.next();
    if (walk.pages > 1 || step.kind === 'stopped') way = walk.way;
    if (step.kind !== 'page') end = step;
    else {
      rows.push(...step.fresh);
      skipped += step.page.skipped;
      connected ||= step.page.items.some((item) => known.has(item.id));
    }
  }
  saveBookmark(options, walk, rows, isNewestFirst);
  const complete = end?.kind === 'end' && end.isSure && skipped === 0;
  const isStuck = end?.kind === 'stopped' && (end.reason === 'no-way' || end.reason === 'no-progress');
  const isCutOff = !isNewestFirst && (isStuck || (end !== null && isEndInferred(end, walk)));
  return { rows, connected: complete || (connected && isNewestFirst), complete, way, isCutOff };
}

/** Newest-first: older messages are requested from here. Otherwise: the next poll begins at the last page. */
function saveBookmark(
  options: NewestOptions,
  walk: PageWalker<Message>,
  rows: readonly Message[],
  isNewestFirst: boolean,
): void {
  const lastId = rows.at(-1)?.id;
  if (lastId === undefined || (isNewestFirst && walk.page.next === null)) return;
  setBookmark(options.client, options.conversationId, { position: walk.position, lastId });
}
