/** The messages directly before the oldest known one, by whatever way this server has. */
import type { PagingWay } from '../protocol/traits.ts';
import type { Message, Page } from '../protocol/types.ts';
import { endOf } from './bookmarks.ts';
import { ApiError } from './errors.ts';
import { firstPage, type ListSource, messageSource } from './list-source.ts';
import {
  accept,
  afterKnown,
  type Found,
  type Older,
  type OlderOptions,
  search,
  startPlace,
  tryCursor,
} from './older-pages.ts';
import { inReadingOrder, ofConversation } from './order.ts';
import { allowedLimit, learnList, usualLimit } from './traits.ts';
import type { Place } from './walk.ts';

type IdParameter = 'starting_after' | 'after' | 'before';

/** Rejects with `ApiError`. */
export async function fetchOlder(options: OlderOptions): Promise<Older> {
  const source = messageSource(options.client, options.conversationId, options.signal);
  const isOldestFirst = options.traits.messageOrder?.value === 'oldest-first';
  if (options.again === 'cheaply' && isOldestFirst) return olderOf(options, atStart);
  if (options.again !== undefined)
    return olderOf(options, await (isOldestFirst ? walkBack(options, source) : lookAgain(options, source)));
  const found = (isOldestFirst ? null : await askDirectly(options, source)) ?? (await walkBack(options, source));
  const older = olderOf(options, found);
  return isDoubtful(found, older) ? askOnceMore(options, source, older) : older;
}

function olderOf(options: OlderOptions, found: Found): Older {
  const isOldestFirst = options.traits.messageOrder?.value === 'oldest-first';
  const { order: seen, way, grownTo } = found;
  const lessons = { order: seen, rows: found.items.length, way, grownTo, heldTo: null };
  const traits = learnList(options.traits, 'message', lessons, (options.now ?? Date.now)());
  const order = found.order === 'newest-first' || !isOldestFirst ? 'newest-first' : 'oldest-first';
  const { reachedStart, unreachable } = found;
  return { messages: inReadingOrder(found.items, order), reachedStart, unreachable, traits };
}

const atStart: Found = {
  items: [],
  reachedStart: true,
  unreachable: false,
  way: undefined,
  grownTo: null,
  order: null,
  isFull: false,
};

/** A full page that is said to be the last may be: or the server has erred, which the way it was got by can tell. */
const isDoubtful = ({ isFull }: Found, { reachedStart, traits }: Older): boolean =>
  reachedStart && isFull && traits.messagePaging?.value.kind === 'parameter';

async function askOnceMore(options: OlderOptions, source: ListSource<Message>, older: Older): Promise<Older> {
  const known = [...older.messages, ...options.known];
  const beyond = { ...options, known, traits: older.traits };
  try {
    const more = olderOf(beyond, await lookAgain(beyond, source));
    return { ...more, messages: [...more.messages, ...older.messages] };
  } catch (error) {
    // The rows that came are not lost for it.
    if (error instanceof ApiError) return older;
    throw error;
  }
}

/** Whether anything comes before the oldest known message after all. */
async function lookAgain(options: OlderOptions, source: ListSource<Message>): Promise<Found> {
  const [oldest] = options.known;
  // In any other order the beginning is not where a walk ends.
  if (oldest === undefined || options.traits.messageOrder?.value === 'mixed') return atStart;
  const way = options.traits.messagePaging?.value;
  const limit = allowedLimit(options.traits, options.limit ?? usualLimit);
  const top: Place = { cursor: undefined, limit, rowsBefore: 0, number: 1 };
  // What a single page has shown is shown by the same page again.
  const isOnePage = way === undefined && options.known.length < limit;
  const [name] = isOnePage ? [] : idParameters(way);
  let found: Found | null = null;
  if (name !== undefined) {
    const page = await tryCursor(source, limit, { kind: 'query', parameters: { [name]: oldest.id } });
    const next = page === null ? null : accept(options, page, limit, way === undefined);
    if (next !== null) found = { ...next, way: { kind: 'parameter', name } };
    // A server that does not know the cursor gives its first page.
    else if (page !== null) found = await goOn(options, source, page, top);
  } else {
    const end = way?.kind === 'hint' ? endOf(options.client, options.conversationId, oldest.id) : undefined;
    const place = end ?? startPlace(options, limit);
    const isHere = place.cursor !== undefined || options.known.length <= place.limit;
    const page = isHere ? await tryCursor(source, place.limit, place.cursor) : null;
    if (page !== null) found = await goOn(options, source, page, place);
  }
  if (found === null && options.again === 'thoroughly') found = await walkBack(options, source);
  return found === null || found.items.length === 0 ? atStart : found;
}

/** From a page that should show where the known messages end; null where it does not. */
async function goOn(
  options: OlderOptions,
  source: ListSource<Message>,
  page: Page<Message>,
  place: Place,
): Promise<Found | null> {
  const isFromTop = place.cursor === undefined;
  const { items } = afterKnown(options.known, isFromTop)(ofConversation(options.conversationId, page.items));
  if (items === null) return null;
  if (items.length === 0 && page.items.every(({ id }) => id !== options.known[0]?.id)) return null;
  const saysMore = page.hasMore ?? (page.next !== null || page.items.length + page.skipped >= place.limit);
  return items.length > 0 || saysMore ? search(options, source, page, place, isFromTop) : atStart;
}

/** By a cursor that names the oldest known message; null when the server has none of these, or is not known to. */
async function askDirectly(options: OlderOptions, source: ListSource<Message>): Promise<Found | null> {
  const way = options.traits.messagePaging?.value;
  const limit = allowedLimit(options.traits, options.limit ?? usualLimit);
  const ids = options.known.slice(0, 2).map((message) => message.id);
  for (const name of idParameters(way)) {
    for (const id of ids) {
      const page = await tryCursor(source, limit, { kind: 'query', parameters: { [name]: id } });
      if (page === null) continue;
      const found = accept(options, page, limit, way === undefined);
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
async function walkBack(options: OlderOptions, source: ListSource<Message>): Promise<Found> {
  let start = startPlace(options, allowedLimit(options.traits, options.limit ?? usualLimit));
  let page = start.cursor === undefined ? null : await tryCursor(source, start.limit, start.cursor);
  const rows = page === null ? 0 : page.items.length + page.skipped;
  if (page !== null && page.hasMore === true && rows > 0 && rows < start.limit && page.next === null) {
    // The server gives fewer rows than were asked for, so the count was in the wrong pages.
    start = startPlace(options, rows);
    page = start.cursor === undefined ? null : await tryCursor(source, start.limit, start.cursor);
  }
  if (page !== null) {
    const found = await search(options, source, page, start, false);
    if (found !== null) return found;
  }
  const wanted = start.cursor === undefined ? start.limit : allowedLimit(options.traits, options.limit ?? usualLimit);
  const { answer, limit } = await firstPage(source, wanted);
  const first = 'notModified' in answer ? { items: [], hasMore: null, next: null, skipped: 0 } : answer.value;
  const found = await search(options, source, first, { cursor: undefined, limit, rowsBefore: 0, number: 1 }, true);
  return found ?? { ...atStart, reachedStart: false, unreachable: true };
}
