/** What list answers teach about a server, written down as its traits. */
import { type ListOrder, learn, type PagingWay, type ServerTraits } from '../protocol/traits.ts';
import { defaultLimit } from './list-source.ts';

type List = 'message' | 'conversation';

/** First limit asked for, unless the server is known to refuse it. */
export const usualLimit = 50;

const listPaths: Readonly<Record<List, string>> = {
  message: 'GET /v1/messages',
  conversation: 'GET /v1/conversations',
};

export interface ListLessons {
  readonly order: ListOrder | 'mixed' | null;
  /** The way that brought the last page; undefined when none was needed. */
  readonly way: PagingWay | undefined;
  readonly grownTo: number | null;
  /** The usual limit was refused. */
  readonly isLimitRefused: boolean;
}

/** The same object when nothing new was learned. */
export function learnList(traits: ServerTraits, list: List, lessons: ListLessons, now: number): ServerTraits {
  const from = listPaths[list];
  let next = traits;
  if (lessons.order === 'newest-first' || lessons.order === 'oldest-first') {
    next = learn(next, list === 'message' ? 'messageOrder' : 'conversationOrder', lessons.order, now, from);
  }
  if (lessons.way !== undefined) {
    next = learn(next, list === 'message' ? 'messagePaging' : 'conversationPaging', lessons.way, now, from);
  }
  if (lessons.isLimitRefused) next = learn(next, 'largestLimit', defaultLimit, now, from);
  else if (lessons.grownTo !== null && lessons.grownTo > (next.largestLimit?.value ?? 0)) {
    next = learn(next, 'largestLimit', lessons.grownTo, now, from);
  }
  return next;
}

/** `wanted`, or what the server is known to allow. */
export function allowedLimit(traits: ServerTraits, wanted: number): number {
  return Math.min(wanted, traits.largestLimit?.value ?? wanted);
}
