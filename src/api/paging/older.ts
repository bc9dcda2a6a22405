/** Reads the messages directly before the oldest known one, in whichever way this server pages. */
import type { Message } from '../../protocol/types.ts';
import { emptyPage, firstPage, type ListSource, messageSource } from './list-source.ts';
import { allowedLimit, observeList, usualLimit } from './observe.ts';
import {
  acceptPage,
  type Older,
  type OlderOptions,
  type OlderRows,
  startPosition,
  tryPosition,
  walkToKnown,
} from './older-pages.ts';
import { inReadingOrder } from './order.ts';
import { firstPosition, idStrategies, rowsOf } from './strategy.ts';

/** Rejects with `ApiError`. */
export async function fetchOlder(options: OlderOptions): Promise<Older> {
  const source = messageSource(options.client, options.conversationId, options.signal);
  const isOldestFirst = options.capabilities.messageOrder?.value === 'oldest-first';
  const found = (isOldestFirst ? null : await askDirectly(options, source)) ?? (await walkBack(options, source));
  return olderOf(options, found);
}

function olderOf(options: OlderOptions, found: OlderRows): Older {
  const isOldestFirst = options.capabilities.messageOrder?.value === 'oldest-first';
  const { order: seen, way, grownTo } = found;
  const lessons = { order: seen, rows: found.items.length, way, grownTo, reducedTo: null };
  const capabilities = observeList(options.capabilities, 'message', lessons, (options.now ?? Date.now)());
  const order = found.order === 'newest-first' || !isOldestFirst ? 'newest-first' : 'oldest-first';
  const { reachedStart, unreachable } = found;
  return { messages: inReadingOrder(found.items, order), reachedStart, unreachable, capabilities };
}

/** Asks by the id of the oldest known message; null when the server takes no id, or is known to page otherwise. */
async function askDirectly(options: OlderOptions, source: ListSource<Message>): Promise<OlderRows | null> {
  const way = options.capabilities.messagePaging?.value;
  const limit = allowedLimit(options.capabilities, options.limit ?? usualLimit);
  const ids = options.known.slice(0, 2).map((message) => message.id);
  for (const strategy of idStrategies(way)) {
    for (const id of ids) {
      const page = await tryPosition(source, strategy.afterId(id, limit));
      if (page === null) continue;
      const found = acceptPage(options, page, way === undefined);
      if (found !== null) return { ...found, way: strategy.way };
      break;
    }
  }
  return null;
}

/**
 * Reads the list until rows come that are older than the known ones: from where the known ones end by their number or
 * by a bookmark, and from the first row where that does not lead on.
 */
async function walkBack(options: OlderOptions, source: ListSource<Message>): Promise<OlderRows> {
  const usual = allowedLimit(options.capabilities, options.limit ?? usualLimit);
  const { start, page } = await readStart(options, source, usual);
  const fromStart = page === null ? null : await walkToKnown(options, source, page, start, false);
  if (fromStart !== null) return fromStart;
  const wanted = start.cursor === undefined ? start.limit : usual;
  const { answer, limit } = await firstPage(source, wanted);
  const first = 'notModified' in answer ? emptyPage : answer.value;
  const fromTop = await walkToKnown(options, source, first, firstPosition(limit), true);
  return fromTop ?? { items: [], way: undefined, grownTo: null, order: null, reachedStart: false, unreachable: true };
}

/** `page`: null when the walk has to begin at the first row, or when the server refuses the position. */
async function readStart(options: OlderOptions, source: ListSource<Message>, limit: number) {
  const start = startPosition(options, limit);
  if (start.cursor === undefined) return { start, page: null };
  const page = await tryPosition(source, start);
  const rows = page === null ? 0 : rowsOf(page);
  const isWhole = page === null || page.hasMore !== true || page.next !== null || rows === 0 || rows >= start.limit;
  if (isWhole) return { start, page };
  // The server gives fewer rows a page than were asked for, so the position was counted in pages of the wrong size.
  const again = startPosition(options, rows);
  return { start: again, page: again.cursor === undefined ? null : await tryPosition(source, again) };
}
