/** The order of a server's lists, seen from the times along a page, and messages put into reading order. */
import type { ListOrder } from '../protocol/traits.ts';
import type { Message, Millis } from '../protocol/types.ts';

/** Of neighbours with different times, this part must agree. */
const agreement = 0.8;

/** `mixed`: the times go both ways; null: too few differing times to say. */
export function detectOrder(times: readonly (Millis | null)[]): ListOrder | 'mixed' | null {
  const known = times.filter((time) => time !== null);
  let falling = 0;
  let rising = 0;
  for (let index = 1; index < known.length; index += 1) {
    const step = (known[index] ?? 0) - (known[index - 1] ?? 0);
    if (step < 0) falling += 1;
    else if (step > 0) rising += 1;
  }
  const steps = falling + rising;
  if (steps === 0) return null;
  if (falling >= steps * agreement) return 'newest-first';
  return rising >= steps * agreement ? 'oldest-first' : 'mixed';
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
