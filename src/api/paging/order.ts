/** Detects the order of a server's list from the times along a page, and sorts messages into reading order. */
import type { ListOrder } from '../../protocol/capabilities.ts';
import type { ConversationId, Message, Millis } from '../../protocol/types.ts';

/** The part of all neighbours with different times that has to go the same way. */
const minAgreement = 0.8;

/**
 * A step against the order counts when it is larger than this, and than this share of the page's whole span of time.
 */
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

/**
 * Sorts by time, oldest first. Messages with equal times or without a time keep the place that the server gave them.
 */
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
