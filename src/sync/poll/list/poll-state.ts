/** What is remembered of the conversation list between requests, and of its last complete walk between runs. */
import type { ConversationId } from '../../../protocol/types.ts';
import type { ListPlace } from '../../services/paging.ts';
import { serverPolicy } from '../../services/server-policy.ts';
import type { Services } from '../../services/services.ts';

/** Mutable, owned by the poller. */
export interface ListPollState {
  etag: string | null;
  /** The walk of an earlier run has not been looked for yet. */
  mayRecall: boolean;
  /** When the whole list was last walked, on the monotonic clock; before this run, where that was remembered. */
  walkedAt: number | null;
  /** How many pages that took; the more pages, the more rarely the list is walked. */
  walkedPages: number;
  /** Where the last walk of a long list stopped; the next walk goes on from there. */
  rest: ListPlace | null;
  /** The last row of the newest page was news, so there may be more news below it. */
  hasGap: boolean;
  /**
   * Conversations that a complete list lacked although they existed, and when they were asked about, on the monotonic
   * clock.
   */
  readonly confirmed: Map<ConversationId, number>;
  /** It is known whether the plain list contains archived conversations. */
  hasLookedForArchived: boolean;
  /** The plain list leaves out archived conversations, so only walks see them. */
  leavesOutArchived: boolean;
  /** Conversations that are gone and whose unsent text the user has been told of. */
  readonly toldOfUnsentText: Set<ConversationId>;
}

export const emptyListPollState = (): ListPollState => ({
  etag: null,
  mayRecall: true,
  walkedAt: null,
  walkedPages: 0,
  rest: null,
  hasGap: false,
  confirmed: new Map(),
  hasLookedForArchived: false,
  leavesOutArchived: false,
  toldOfUnsentText: new Set(),
});

/** Longer than any real list: ends the reading of a list that never ends. */
export const mostRows = 400_000;
/** A list of more pages is walked only when nothing of it is known; afterwards sweeps read it again. */
export const longListPages = 20;
/** A walk of an earlier run counts for this long; polls and sweeps find what has changed since. */
const rememberedMs = 7 * 24 * 3_600_000;
const walkEveryMs = 300_000;
const walkUnorderedEveryMs = 60_000;
/** On average, walks and sweeps make no more than one request in this time. */
export const walkedPageMs = 3_000;

export const isLong = ({ walkedPages }: ListPollState): boolean => walkedPages > longListPages;

/** When the next walk is due, on the monotonic clock; 0 when the list was never walked. */
export function walkDueAt(context: Services, { walkedAt, walkedPages }: ListPollState): number {
  const everyMs = Math.max(isOrdered(context) ? walkEveryMs : walkUnorderedEveryMs, walkedPages * walkedPageMs);
  return walkedAt === null ? 0 : walkedAt + everyMs;
}

const isOrdered = (context: Services): boolean => serverPolicy(context).listsActiveConversationsFirst;

/** Takes over the walk of an earlier run, if the newest pages show all activity since. */
export function recallWalk(context: Services, memory: ListPollState): void {
  memory.mayRecall = false;
  const walk = context.cache.listWalk();
  const ageMs = walk === null ? -1 : context.clock.now() - walk.at;
  if (walk === null || ageMs < 0 || ageMs > rememberedMs || !isOrdered(context)) return;
  if (walk.pages <= longListPages) return;
  memory.walkedAt = context.clock.monotonic() - ageMs;
  memory.walkedPages = walk.pages;
  memory.hasLookedForArchived = true;
  memory.leavesOutArchived = walk.leavesOutArchived;
}

/** Remembers that the list was read to its end, and that all of it is saved. */
export function rememberWalk(context: Services, memory: ListPollState, pages: number): void {
  memory.walkedAt = context.clock.monotonic();
  memory.walkedPages = pages;
  if (!isLong(memory)) return;
  context.cache.saveListWalk({ at: context.clock.now(), pages, leavesOutArchived: memory.leavesOutArchived });
}
