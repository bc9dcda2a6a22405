/** Learns from the pages of a list its order and how the server pages, and derives from that the limits to ask for. */
import { type ListOrder, observe, type PagingWay, type ServerCapabilities } from '../../protocol/capabilities.ts';
import type { ConversationId, Message, Millis } from '../../protocol/types.ts';

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

/** A few rows may be in order by chance: once `mixed` was observed, only a page of this many can replace it. */
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

/** The share of neighbouring rows with different times that must be in the same order. */
const minAgreement = 0.8;

/** A step against the order counts when it is larger than this, and than this share of the page's span of time. */
const farStep = { ms: 60_000, share: 0.2 } as const;

/**
 * `mixed`: the times go both ways, or go most of the page one way and once far back, as in a list that is sorted by
 * something else. A small step back is put down to clocks that disagree. null: the page has no two different times.
 */
export function detectOrder(times: readonly (Millis | null)[]): ListOrder | 'mixed' | null {
  const known = times.filter((time) => time !== null);
  const far = Math.max(farStep.ms, farStep.share * (Math.max(...known) - Math.min(...known)));
  let falling = 0;
  let rising = 0;
  let farFalls = 0;
  let farRises = 0;
  for (let index = 1; index < known.length; index += 1) {
    const step = (known[index] ?? 0) - (known[index - 1] ?? 0);
    if (step < 0) falling += 1;
    else if (step > 0) rising += 1;
    if (step < -far) farFalls += 1;
    else if (step > far) farRises += 1;
  }
  const steps = falling + rising;
  if (steps === 0) return null;
  if (falling >= steps * minAgreement && farRises === 0) return 'newest-first';
  return rising >= steps * minAgreement && farFalls === 0 ? 'oldest-first' : 'mixed';
}

/** Sorts by time, oldest first. Messages with equal times or without one keep the place that the server gave them. */
export function inReadingOrder(serverOrder: readonly Message[], order: ListOrder): readonly Message[] {
  const placed = order === 'newest-first' ? serverOrder.toReversed() : serverOrder;
  let last = Number.NEGATIVE_INFINITY;
  return placed
    .map((message) => {
      last = message.createdAt ?? last;
      return { message, at: last };
    })
    .toSorted((a, b) => (a.at === b.at ? 0 : a.at - b.at))
    .map(({ message }) => message);
}

/** Leaves out rows that name another conversation: a server that ignores `conversation_id` lists those of all. */
export const ofConversation = (id: ConversationId, messages: readonly Message[]): readonly Message[] =>
  messages.filter(({ conversationId }) => conversationId === null || conversationId === id);
