/** What is known of the conversation list from one request to the next, and of its last walk from one run to the next. */
import type { ConversationId } from '../../../protocol/types.ts';
import type { ListPlace } from '../../services/paging.ts';
import { serverPolicy } from '../../services/server-policy.ts';
import type { Services } from '../../services/services.ts';

/** Mutable, owned by the poller. */
export interface ListPollState {
  etag: string | null;
  /** No walk of an earlier run has been looked for yet. */
  mayRecall: boolean;
  /** When the whole list was last walked, on the monotonic clock; before this run, where that was remembered. */
  walkedAt: number | null;
  /** How many pages that took: a list of many is walked the more rarely. */
  walkedPages: number;
  /** A long list is read up to here, and the next walk goes on from here. */
  rest: ListPlace | null;
  /** The lowest row of the newest page was news: there may be more of them below it. */
  hasGap: boolean;
  /** Missing from a complete list although they were there when asked for; when, on the monotonic clock. */
  readonly confirmed: Map<ConversationId, number>;
  /** The list of archived ones was read, too, unless the plain one has them. */
  hasLookedForArchived: boolean;
  /** Archived conversations are seen by walks alone. */
  leavesOutArchived: boolean;
  /** Conversations that are gone and whose unsent words the user has been told of. */
  readonly toldOfWords: Set<ConversationId>;
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
  toldOfWords: new Set(),
});

/** Nobody has more: a list that never ends is not followed for ever. */
export const mostRows = 400_000;
/** A list of more pages is walked at once only when nothing of it is known; it is read again by sweeps. */
export const longListPages = 20;
/** So long a walk is believed to have left nothing but what sweeps find, and activity shows. */
const rememberedMs = 7 * 24 * 3_600_000;
const walkEveryMs = 300_000;
const walkUnorderedEveryMs = 60_000;
/** Walks take up no more than a request in so many milliseconds. */
export const walkedPageMs = 3_000;

export const isLong = ({ walkedPages }: ListPollState): boolean => walkedPages > longListPages;

/** On the monotonic clock; at once where it was never walked. */
export function walkDueAt(context: Services, { walkedAt, walkedPages }: ListPollState): number {
  const everyMs = Math.max(isOrdered(context) ? walkEveryMs : walkUnorderedEveryMs, walkedPages * walkedPageMs);
  return walkedAt === null ? 0 : walkedAt + everyMs;
}

const isOrdered = (context: Services): boolean => serverPolicy(context).listsActiveConversationsFirst;

/** Takes over what an earlier run remembered, where the newest pages tell all that has happened since. */
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

/** The list was read to its end, all of it is saved. */
export function rememberWalk(context: Services, memory: ListPollState, pages: number): void {
  memory.walkedAt = context.clock.monotonic();
  memory.walkedPages = pages;
  if (!isLong(memory)) return;
  context.cache.saveListWalk({ at: context.clock.now(), pages, leavesOutArchived: memory.leavesOutArchived });
}
