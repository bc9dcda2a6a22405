/** The order of a server's lists, seen from the times along a page, and messages put into reading order. */
import type { ListOrder } from '../../protocol/capabilities.ts';
import type { ConversationId, Message, Millis } from '../../protocol/types.ts';

/** Of neighbours with different times, this part must agree. */
const minAgreement = 0.8;

/** A step back of this many milliseconds, and of this part of the whole span, is more than clocks that disagree. */
const farStep = { ms: 60_000, share: 0.2 } as const;

/**
 * `mixed`: the times go both ways, or jump back far: a list in some other order also rises or falls for most of a page.
 * null: too few differing times to say.
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

/** Oldest first by time; ties, and messages without a time, stay where the server's order puts them. */
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

/** Without the rows that name another conversation: a server that passes over `conversation_id` lists them all. */
export const ofConversation = (id: ConversationId, messages: readonly Message[]): readonly Message[] =>
  messages.filter(({ conversationId }) => conversationId === null || conversationId === id);
