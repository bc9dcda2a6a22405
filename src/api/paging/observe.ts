/** Turns what the pages of a list show about a server into its capabilities, and these into the limits to ask for. */
import { type ListOrder, observe, type PagingWay, type ServerCapabilities } from '../../protocol/capabilities.ts';

type List = 'message' | 'conversation';

/** The limit that is asked for first, unless the server is known to refuse it. */
export const usualLimit = 50;

const listPaths: Readonly<Record<List, string>> = {
  message: 'GET /v1/messages',
  conversation: 'GET /v1/conversations',
};

export interface ListObservations {
  readonly order: ListOrder | 'mixed' | null;
  /** The number of rows that `order` was detected in. */
  readonly rows: number;
  /** The way that brought the last page; undefined when there was only one page. */
  readonly way: PagingWay | undefined;
  /** The largest limit that brought more rows than a smaller one; null when none did. */
  readonly grownTo: number | null;
  /** The limit that the server took after it had refused a larger one; null when it refused none. */
  readonly reducedTo: number | null;
}

/** Adds what was observed at `now`. Returns the same object when nothing of it is new. */
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

/**
 * A few rows of a list that is not sorted by time may be in the order of their times by chance. Once `mixed` was
 * observed, only a page of this many rows can replace it.
 */
const minOrderRows = 20;

type Ordered = ListObservations & { readonly order: ListOrder | 'mixed' };

const isOrderEvidence = (capabilities: ServerCapabilities, lessons: ListObservations): lessons is Ordered =>
  lessons.order !== null &&
  (lessons.rows >= minOrderRows || (lessons.order !== 'mixed' && capabilities.messageOrder?.value !== 'mixed'));

/** The smaller of `wanted` and the limit that the server is known to allow. */
export function allowedLimit(capabilities: ServerCapabilities, wanted: number): number {
  return Math.min(wanted, capabilities.largestLimit?.value ?? wanted);
}

/** The rows of a page of a long list: few enough to be processed between two key presses. */
export const longListRows = 200;

/** The limits to try for the first page of a long list: a large one that is known to work, then the usual one. */
export function longListLimits(capabilities: ServerCapabilities): readonly number[] {
  const usual = allowedLimit(capabilities, usualLimit);
  const known = Math.min(longListRows, capabilities.largestLimit?.value ?? 0);
  const way = capabilities.conversationPaging?.value;
  return way?.kind === 'parameter' && known > usual ? [known, usual] : [usual];
}
