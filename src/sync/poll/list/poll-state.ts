/** Keeps what is known of the conversation list between requests, and of its last reading to the end between runs. */
import { allowedLimit, usualLimit } from '../../../api/paging/observe.ts';
import type { ConversationId } from '../../../protocol/types.ts';
import type { PageValidator } from '../../../state/cache/cached-history.ts';
import { conversationsWithUnsentText } from '../../../state/local/unsent-text.ts';
import type { ConfirmedItems } from '../../read/absent-items.ts';
import { serverPolicy } from '../../services/server-policy.ts';
import { type Services, stateOf } from '../../services/services.ts';

/** Mutable, owned by the `ListReader`. */
export interface ListPollState {
  etag: string | null;
  /** The page of `etag` is the whole plain list, and shows every conversation that is known. */
  isWholeList: boolean;
  /** The reading of an earlier run has not been looked for yet. */
  mayRecall: boolean;
  /** The list was answered in this run: from then on, conversations with news are those that change in it. */
  isAnswered: boolean;
  /** `etag` is of an earlier run, and these rows belong to it; null once this run has had an answer. */
  recalled: readonly ConversationId[] | null;
  /** When a reading of the whole list, or a part of one, last ended, on the monotonic clock; before this run, where that was remembered. */
  readingEndedAt: number | null;
  /** A reading of the whole list, or a part of one, has ended in this run. */
  hasEndedReading: boolean;
  /** How many pages that reading has taken so far; the more pages, the more rarely the list is read again. */
  pagesRead: number;
  /** A write of ours overlapped the last reading and has ended: the list is to be asked for again at once. */
  isStale: boolean;
  /** The last row of the newest page was news, so there may be more news below it. */
  hasGap: boolean;
  readonly confirmed: ConfirmedItems<ConversationId>;
  /** The plain list leaves out archived conversations, so only readings of the whole list see them. */
  leavesOutArchived: boolean;
  /** Conversations that are gone from the server, and about whose unsent text a notice was shown. */
  readonly notifiedOfUnsentText: Set<ConversationId>;
}

/** What a reading of the list has shown. */
export interface ListSeen {
  readonly ids: ReadonlySet<ConversationId>;
  /** No row was left out. */
  readonly isComplete: boolean;
  /** It was read to its end; rows may have moved between its pages meanwhile. */
  readonly isEnd: boolean;
  /** From the write tracker, before the first request. */
  readonly mark: number;
  /** Archived conversations were read too. */
  readonly includesArchived: boolean;
}

export const emptyListPollState = (): ListPollState => ({
  etag: null,
  isWholeList: false,
  mayRecall: true,
  isAnswered: false,
  recalled: null,
  readingEndedAt: null,
  hasEndedReading: false,
  pagesRead: 0,
  isStale: false,
  hasGap: false,
  confirmed: new Map(),
  leavesOutArchived: false,
  notifiedOfUnsentText: new Set(),
});

/** Longer than any real list: ends the reading of a list that never ends. */
export const mostListRows = 400_000;
/** A list of more pages is read at once only when nothing of it is known; afterwards sweeps read it again. */
export const longListPages = 20;
/** A reading of an earlier run counts for this long; polls and sweeps find what has changed since. */
const rememberedMs = 7 * 24 * 3_600_000;
const readEveryMs = 300_000;
const readUnorderedEveryMs = 60_000;
/** On average, reading the list again makes no more than one request in this time. */
export const perPageMs = 3_000;

export const isLongList = ({ pagesRead }: ListPollState): boolean => pagesRead > longListPages;

/** When the next reading of the whole list is due, on the monotonic clock; 0 when it was never read. */
export function readingDueAt(context: Services, { readingEndedAt, pagesRead }: ListPollState): number {
  const everyMs = Math.max(isOrdered(context) ? readEveryMs : readUnorderedEveryMs, pagesRead * perPageMs);
  return readingEndedAt === null ? 0 : readingEndedAt + everyMs;
}

const isOrdered = (context: Services): boolean => serverPolicy(context).listsActiveConversationsFirst;

/**
 * Takes over the reading of an earlier run, once, if the newest page shows all activity since, and its validator. A
 * list that is not long is otherwise read again, which takes no time.
 */
export function recallReading(context: Services, memory: ListPollState): void {
  if (!memory.mayRecall) return;
  memory.mayRecall = false;
  const reading = context.cache.listReading();
  const ageMs = reading === null ? -1 : context.clock.now() - reading.at;
  if (reading === null || ageMs < 0 || ageMs > rememberedMs) return;
  const validator = recallValidator(context);
  if (!isOrdered(context) && validator?.isWhole !== true) return;
  if (reading.pages <= longListPages && validator === null) return;
  memory.readingEndedAt = context.clock.monotonic() - ageMs;
  memory.pagesRead = reading.pages;
  memory.leavesOutArchived = reading.leavesOutArchived;
  if (validator === null) return;
  memory.etag = validator.etag;
  memory.isWholeList = validator.isWhole;
  memory.recalled = validator.ids;
}

/**
 * The saved validator; null where rows of its page were lost since, which "not modified" would leave out for good, and
 * where unsent text is in a conversation that is not known, so that nothing would ask whether that one is gone.
 */
function recallValidator(context: Services): PageValidator | null {
  const validator = context.cache.validator(null);
  const { cache } = stateOf(context);
  if (validator === null || validator.limit !== newestPageLimit(context)) return null;
  const needed = [...validator.ids, ...conversationsWithUnsentText(stateOf(context))];
  return needed.every((id) => cache.conversations.has(id)) ? validator : null;
}

export const newestPageLimit = (context: Services): number =>
  allowedLimit(stateOf(context).local.capabilities, usualLimit);

/** Remembers that the list was read; between runs only where it was read to its end, since all of it is saved then. */
export function rememberReading(context: Services, memory: ListPollState, pages: number, isEnd: boolean): void {
  memory.readingEndedAt = context.clock.monotonic();
  memory.pagesRead = pages;
  memory.hasEndedReading = true;
  if (!isEnd) return;
  context.cache.saveListReading({ at: context.clock.now(), pages, leavesOutArchived: memory.leavesOutArchived });
}
