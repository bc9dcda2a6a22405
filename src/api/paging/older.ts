/** The messages directly before the oldest known one, by whatever way this server has. */
import type { PagingWay } from '../../protocol/capabilities.ts';
import type { Message } from '../../protocol/types.ts';
import { firstPage, type ListSource, messageSource } from './list-source.ts';
import { allowedLimit, observeList, usualLimit } from './observe.ts';
import {
  acceptPage,
  type Older,
  type OlderOptions,
  type OlderRows,
  startPosition,
  tryCursor,
  walkToKnown,
} from './older-pages.ts';
import { inReadingOrder } from './order.ts';

type IdParameter = 'starting_after' | 'after' | 'before';

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

/** By a cursor that names the oldest known message; null when the server has none of these, or is not known to. */
async function askDirectly(options: OlderOptions, source: ListSource<Message>): Promise<OlderRows | null> {
  const way = options.capabilities.messagePaging?.value;
  const limit = allowedLimit(options.capabilities, options.limit ?? usualLimit);
  const ids = options.known.slice(0, 2).map((message) => message.id);
  for (const name of idParameters(way)) {
    for (const id of ids) {
      const page = await tryCursor(source, limit, { kind: 'query', parameters: { [name]: id } });
      if (page === null) continue;
      const found = acceptPage(options, page, way === undefined);
      if (found !== null) return { ...found, way: { kind: 'parameter', name } };
      break;
    }
  }
  return null;
}

function idParameters(way: PagingWay | undefined): readonly IdParameter[] {
  if (way === undefined) return ['starting_after', 'after', 'before'];
  if (way.kind !== 'parameter' || way.name === 'page' || way.name === 'offset') return [];
  return [way.name];
}

/** From the newest message backwards, or from where the known ones end by count, until older rows come. */
async function walkBack(options: OlderOptions, source: ListSource<Message>): Promise<OlderRows> {
  let start = startPosition(options, allowedLimit(options.capabilities, options.limit ?? usualLimit));
  let page = start.cursor === undefined ? null : await tryCursor(source, start.limit, start.cursor);
  const rows = page === null ? 0 : page.items.length + page.skipped;
  if (page !== null && page.hasMore === true && rows > 0 && rows < start.limit && page.next === null) {
    // The server gives fewer rows than were asked for, so the count was in the wrong pages.
    start = startPosition(options, rows);
    page = start.cursor === undefined ? null : await tryCursor(source, start.limit, start.cursor);
  }
  if (page !== null) {
    const found = await walkToKnown(options, source, page, start, false);
    if (found !== null) return found;
  }
  const wanted =
    start.cursor === undefined ? start.limit : allowedLimit(options.capabilities, options.limit ?? usualLimit);
  const { answer, limit } = await firstPage(source, wanted);
  const first = 'notModified' in answer ? { items: [], hasMore: null, next: null, skipped: 0 } : answer.value;
  const found = await walkToKnown(options, source, first, { cursor: undefined, limit, rowsBefore: 0, number: 1 }, true);
  const nothing = { items: [], way: undefined, grownTo: null, order: null };
  return found ?? { ...nothing, reachedStart: false, unreachable: true };
}
