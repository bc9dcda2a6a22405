/** What list answers teach about a server, written down as its capabilities. */
import { type ListOrder, observe, type PagingWay, type ServerCapabilities } from '../../protocol/capabilities.ts';

type List = 'message' | 'conversation';

/** First limit asked for, unless the server is known to refuse it. */
export const usualLimit = 50;

const listPaths: Readonly<Record<List, string>> = {
  message: 'GET /v1/messages',
  conversation: 'GET /v1/conversations',
};

export interface ListObservations {
  readonly order: ListOrder | 'mixed' | null;
  /** Of the list that the order was seen in. */
  readonly rows: number;
  /** The way that brought the last page; undefined when none was needed. */
  readonly way: PagingWay | undefined;
  readonly grownTo: number | null;
  /** The limit that was taken instead of a larger one that was refused; null when none was. */
  readonly reducedTo: number | null;
}

/** The same object when nothing new was learned. */
export function observeList(
  capabilities: ServerCapabilities,
  list: List,
  lessons: ListObservations,
  now: number,
): ServerCapabilities {
  const from = listPaths[list];
  let next = capabilities;
  if (list === 'message' && isOrderEvidence(next, lessons))
    next = observe(next, 'messageOrder', lessons.order, now, from);
  if (list === 'conversation' && (lessons.order === 'newest-first' || lessons.order === 'oldest-first')) {
    next = observe(next, 'conversationOrder', lessons.order, now, from);
  }
  if (lessons.way !== undefined) {
    next = observe(next, list === 'message' ? 'messagePaging' : 'conversationPaging', lessons.way, now, from);
  }
  if (lessons.reducedTo !== null) next = observe(next, 'largestLimit', lessons.reducedTo, now, from);
  else if (lessons.grownTo !== null && lessons.grownTo > (next.largestLimit?.value ?? 0)) {
    next = observe(next, 'largestLimit', lessons.grownTo, now, from);
  }
  return next;
}

/** In a list of some other order a few rows stand by time now and then: what many rows have shown, many must take back. */
const minOrderRows = 20;

type Ordered = ListObservations & { readonly order: ListOrder | 'mixed' };

const isOrderEvidence = (capabilities: ServerCapabilities, lessons: ListObservations): lessons is Ordered =>
  lessons.order !== null &&
  (lessons.rows >= minOrderRows || (lessons.order !== 'mixed' && capabilities.messageOrder?.value !== 'mixed'));

/** `wanted`, or what the server is known to allow. */
export function allowedLimit(capabilities: ServerCapabilities, wanted: number): number {
  return Math.min(wanted, capabilities.largestLimit?.value ?? wanted);
}

/** Rows of a page of a long list: few enough to be taken in between two keys. */
export const longListRows = 200;

/** The limits to begin a long list with, the best first: what is known to work, then the usual one. */
export function longListLimits(capabilities: ServerCapabilities): readonly number[] {
  const usual = allowedLimit(capabilities, usualLimit);
  const known = Math.min(longListRows, capabilities.largestLimit?.value ?? 0);
  const way = capabilities.conversationPaging?.value;
  return way?.kind === 'parameter' && known > usual ? [known, usual] : [usual];
}
