/** Reads only the end of a list that begins with the oldest message (server-differences: List order). */
import type { Message } from '../../protocol/types.ts';
import { bookmarkOf, setBookmark } from './bookmarks.ts';
import { isRefusal, type ListSource, type PageRequest } from './list-source.ts';
import type { NewestAnswer, NewestOptions } from './newest-answer.ts';
import { allowedLimit, usualLimit } from './observe.ts';
import { detectOrder, inReadingOrder, ofConversation } from './order.ts';
import { isEndInferred, PageWalker } from './page-walker.ts';
import { type PagePosition, strategyOf } from './strategy.ts';

interface TailStart {
  readonly position: PagePosition;
  /** The page follows a known message, so that it need not show one to prove that nothing is missing in between. */
  readonly followsKnown: boolean;
}

/**
 * The messages after a known one. Resolves to null when the server cannot be asked for these alone, and the whole list
 * has to be read. The etag begins with the position that it belongs to, since the address changes from poll to poll.
 */
export async function fetchTail(options: NewestOptions, source: ListSource<Message>): Promise<NewestAnswer | null> {
  const start = tailStart(options);
  if (start === null) return null;
  const { position } = start;
  const prefix = `${JSON.stringify([position.cursor, position.limit])} `;
  const { ifNoneMatch, capabilities } = options;
  const validator = ifNoneMatch?.startsWith(prefix) === true ? ifNoneMatch.slice(prefix.length) : undefined;
  const answer = await requestPage(source, { ...position, ifNoneMatch: validator });
  if (answer === null || 'notModified' in answer) return answer;
  const first = answer.value;
  if (!isConnected(options, start, first.items)) return null;
  const way = capabilities.messagePaging?.value;
  const walk = new PageWalker({ source, way, first, position, isNewestFirst: false });
  const walked = await walkToEnd(walk, first.items);
  if (walked === null) return null;
  const { rows, end } = walked;
  const lastId = rows.at(-1)?.id;
  if (lastId !== undefined) setBookmark(options.client, options.conversationId, { position: walk.position, lastId });
  const isCutOff = isEndInferred(end, walk);
  return {
    messages: ofConversation(options.conversationId, inReadingOrder(rows, 'oldest-first')),
    connected: true,
    complete: false,
    capabilities,
    etag: answer.etag === null || isCutOff || walk.pages > 1 ? null : prefix + answer.etag,
    pages: walk.pages,
    ...(isCutOff ? { unreachable: true } : {}),
  };
}

/** Where the last page that has to be read begins; null when neither an id nor a bookmark leads there. */
function tailStart({ client, conversationId, knownNewest, capabilities, limit }: NewestOptions): TailStart | null {
  const rows = allowedLimit(capabilities, limit ?? usualLimit);
  const way = capabilities.messagePaging?.value;
  const strategy = way === undefined ? undefined : strategyOf(way);
  if (strategy?.goesByIds === true) {
    // Half a page back, so that edits of the latest messages are seen as well. A shorter history is read as a whole: it
    // costs the same, and a few rows in order prove little.
    const after = knownNewest[knownNewest.length - Math.ceil(rows / 2)];
    const position = after === undefined ? null : strategy.afterId(after, rows);
    return position === null ? null : { position, followsKnown: true };
  }
  const bookmark = bookmarkOf(client, conversationId);
  return knownNewest.length === 0 || bookmark === undefined
    ? null
    : { position: bookmark.position, followsKnown: false };
}

/** Whether `rows` rise in time, and nothing is missing between them and a known message. */
function isConnected(options: NewestOptions, { followsKnown }: TailStart, rows: readonly Message[]): boolean {
  const order = detectOrder(rows.map((item) => item.createdAt));
  if (order === 'newest-first' || order === 'mixed') return false;
  const known = new Set(options.knownNewest);
  return followsKnown || rows.some((item) => known.has(item.id));
}

/** Every row up to the end of the list; null when the walk stopped before it. */
async function walkToEnd(walk: PageWalker<Message>, first: readonly Message[]) {
  const rows = [...first];
  let step = await walk.next();
  while (step.kind === 'page') {
    rows.push(...step.fresh);
    step = await walk.next();
  }
  return step.kind === 'stopped' ? null : { rows, end: step };
}

/** null: the server refuses the cursor. */
async function requestPage(source: ListSource<Message>, request: PageRequest) {
  try {
    return await source(request);
  } catch (error) {
    if (request.cursor !== undefined && isRefusal(error)) return null;
    throw error;
  }
}
