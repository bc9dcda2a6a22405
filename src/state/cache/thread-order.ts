/** The order of messages in a thread: (createdAt, rank, id), where the rank carries the server's order through ties. */
import type { Message, MessageId } from '../../protocol/types.ts';

type Placed = Pick<Message, 'createdAt' | 'rank' | 'id'>;

/** A message without a time is sorted before all others, as in the cache on disk. */
export function compareMessages(a: Placed, b: Placed): number {
  const byTime = compareTimes(a.createdAt, b.createdAt);
  if (byTime !== 0) return byTime;
  if (a.rank !== b.rank) return a.rank - b.rank;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

function compareTimes(a: number | null, b: number | null): number {
  if (a === b) return 0;
  if (a === null) return -1;
  return b === null ? 1 : a - b;
}

/**
 * Gives each message of a page (oldest first, in the server's order) a rank, such that sorting keeps that order
 * among messages of the same time. Known messages keep theirs; `side` says on which side of the known ones
 * of the same time the others belong when the page itself does not show it.
 */
export function rankPage(
  known: readonly Message[],
  page: readonly Message[],
  side: 'before' | 'after',
): readonly Message[] {
  const ranks = new Map<MessageId, number>();
  const spans = new Map<number | null, { min: number; max: number }>();
  for (const message of known) {
    ranks.set(message.id, message.rank);
    const span = spans.get(message.createdAt);
    if (span === undefined) spans.set(message.createdAt, { min: message.rank, max: message.rank });
    else spans.set(message.createdAt, { min: Math.min(span.min, message.rank), max: Math.max(span.max, message.rank) });
  }
  const groups = new Map<number | null, Message[]>();
  for (const message of page) {
    const group = groups.get(message.createdAt);
    if (group === undefined) groups.set(message.createdAt, [message]);
    else group.push(message);
  }
  const out: Message[] = [];
  for (const [time, group] of groups) out.push(...rankGroup(group, ranks, spans.get(time), side));
  return out.sort(compareMessages);
}

function rankGroup(
  group: readonly Message[],
  ranks: ReadonlyMap<MessageId, number>,
  span: { readonly min: number; readonly max: number } | undefined,
  side: 'before' | 'after',
): readonly Message[] {
  const first = group.findIndex((message) => ranks.has(message.id));
  const anchor = first < 0 ? undefined : ranks.get(group[first]?.id ?? '');
  let next = startRank(group.length, first, anchor, span, side);
  return group.map((message) => {
    const known = ranks.get(message.id);
    // A known rank is kept as long as the ranks rise. Otherwise the order of this page, which is newer, wins.
    const rank = known !== undefined && known >= next ? known : next;
    next = rank + 1;
    return message.rank === rank ? message : { ...message, rank };
  });
}

function startRank(
  count: number,
  first: number,
  anchor: number | undefined,
  span: { readonly min: number; readonly max: number } | undefined,
  side: 'before' | 'after',
): number {
  if (anchor !== undefined) return anchor - first;
  if (span === undefined) return 0;
  return side === 'after' ? span.max + 1 : span.min - count;
}
