/** Turns what the pages of a list show about a server into its capabilities, and these into the limits to ask for. */
import { type ListOrder, observe, type PagingWay, type ServerCapabilities } from '../../protocol/capabilities.ts';

/** The limit that is asked for first, unless the server is known to refuse it. */
export const usualLimit = 50;

export interface ListObservations {
  readonly order: ListOrder | 'mixed' | null;
  /** The number of rows that `order` was detected in. */
  readonly rows: number;
  /** The way that works; undefined while none had to be found. */
  readonly way: PagingWay | undefined;
  /** The largest limit that brought more rows than a smaller one; null when none did. */
  readonly grownTo: number | null;
  /** The limit that the server took after it had refused a larger one; null when it refused none. */
  readonly reducedTo: number | null;
}

/** Adds what was observed just now. Returns the same object when nothing of it is new. */
export function observeList(
  capabilities: ServerCapabilities,
  list: 'message' | 'conversation',
  { order, rows, way, grownTo, reducedTo }: ListObservations,
): ServerCapabilities {
  const from = list === 'message' ? 'GET /v1/messages' : 'GET /v1/conversations';
  const now = Date.now();
  let next = capabilities;
  if (list === 'conversation') {
    if (order !== null && order !== 'mixed') next = observe(next, 'conversationOrder', order, now, from);
  } else if (order !== null && isOrderEvidence(capabilities, order, rows)) {
    next = observe(next, 'messageOrder', order, now, from);
  }
  if (way !== undefined)
    next = observe(next, list === 'message' ? 'messagePaging' : 'conversationPaging', way, now, from);
  const largest = reducedTo ?? Math.max(grownTo ?? 0, next.largestLimit?.value ?? 0);
  return largest === 0 ? next : observe(next, 'largestLimit', largest, now, from);
}

/**
 * A few rows of a list that is not sorted by time may be in the order of their times by chance. Once `mixed` was
 * observed, only a page of this many rows can replace it.
 */
const minOrderRows = 20;

const isOrderEvidence = (capabilities: ServerCapabilities, order: ListOrder | 'mixed', rows: number): boolean =>
  rows >= minOrderRows || (order !== 'mixed' && capabilities.messageOrder?.value !== 'mixed');

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
  return capabilities.conversationPaging?.value.kind === 'parameter' && known > usual ? [known, usual] : [usual];
}
