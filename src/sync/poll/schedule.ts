/** Decides what to ask for next and when, as a pure function of what the poller knows (R-POLL). */
import type { ConversationId } from '../../protocol/types.ts';
import { type Allowance, allowanceAt, intervalMs, isThrifty, type Pace, type Polled } from './pace.ts';
import { isAtRest, stepOf, usualRhythm } from './rhythm.ts';

/** All times are on the monotonic clock, in milliseconds. */
export interface PollState {
  readonly list: PolledListState;
  /** The open conversation. */
  readonly thread: (PolledState & { readonly id: ConversationId }) | null;
  /** The next page of a reading of the list; null when there is none. One that is not urgent waits until no key is pressed. */
  readonly listStep: { readonly at: number; readonly isUrgent: boolean } | null;
  /** Conversations whose newest page is wanted once, as a rule the last active first, and how many may still be asked for. */
  readonly wantedPages: readonly ConversationId[];
  readonly pageAllowance: number;
  /** Conversations whose newest page could not be read, and when it is asked for again. */
  readonly postponedPages: ReadonlyMap<ConversationId, number>;
  /**
   * Conversations whose newest page may have changed without a change of the list, and when it is asked for again. The open
   * one is asked by itself.
   */
  readonly againPages: ReadonlyMap<ConversationId, number>;
  /** Conversations with a send of unknown outcome, and when their history is to be checked next. */
  readonly checks: ReadonlyMap<ConversationId, number>;
  readonly isFocused: boolean;
  /** When the user last did something, the terminal got the focus, or the machine woke up. */
  readonly lastActivity: number;
  readonly pace: Pace;
}

/** When the list, or the open conversation, was asked for, and when it may be asked for again. */
export interface PolledState {
  /** When the last request for it ended; null = never asked in this run. */
  readonly lastAsked: number | null;
  /** The next request leaves no sooner. */
  readonly notBefore: number;
  readonly isInFlight: boolean;
  /** An answer was discarded, or the user asked: the next request leaves at once. */
  readonly isDue: boolean;
}

export interface PolledListState extends PolledState {
  /** When the request that the server may hold until there is news is overdue; null: there is none. */
  readonly heldUntil: number | null;
  /** When the last request left, if the server holds requests and can be asked to again; else null. */
  readonly heldFrom: number | null;
}

export type NextRead =
  | { readonly what: 'list'; readonly at: number }
  | { readonly what: 'list-step'; readonly at: number }
  | { readonly what: 'thread'; readonly id: ConversationId; readonly at: number }
  | { readonly what: 'page'; readonly id: ConversationId; readonly at: number };

export const idlePolled: PolledState = { lastAsked: null, notBefore: 0, isInFlight: false, isDue: false };

export const idlePolledList: PolledListState = { ...idlePolled, heldUntil: null, heldFrom: null };

/** Background reading waits until the user has done nothing for this long. */
export const stillMs = 2_000;
/** Two requests that are due this close together are made in one wake-up. */
const togetherMs = 1_000;

/** History is checked so long after the attempt ended, and then at a fixed pace. */
const checksMs = [1_000, 3_000, 8_000, 20_000, 30_000] as const;
const laterChecksEveryMs = 30_000;

/**
 * When to look next in the history for a send of unknown outcome.
 *
 * @param endedAt when the attempt ended, on the monotonic clock
 * @param checks how many checks have been made, the last one at `checkedAt`
 */
export function nextCheck(endedAt: number, checks: number, checkedAt: number): number {
  const offset = checksMs[checks];
  return offset === undefined ? checkedAt + laterChecksEveryMs : Math.max(endedAt + offset, checkedAt);
}

/** What to ask next and when; a time before `now` means at once. Null while everything wanted is under way. */
export function nextRead(poll: PollState, now: number): NextRead | null {
  const { thread, list } = poll;
  const inTurn = nextInTurn(poll, now);
  const candidates: NextRead[] = inTurn === null ? eachByItself(poll, now) : [inTurn];
  if (!list.isInFlight && poll.listStep !== null) {
    const { at, isUrgent } = poll.listStep;
    candidates.push({ what: 'list-step', at: isUrgent ? at : Math.max(at, poll.lastActivity + stillMs) });
  }
  const page = poll.wantedPages[0];
  if (poll.pageAllowance > 0) {
    if (page !== undefined) candidates.push({ what: 'page', id: page, at: 0 });
    for (const [id, at] of poll.postponedPages) candidates.push({ what: 'page', id, at });
    for (const [id, at] of poll.againPages) if (id !== thread?.id) candidates.push({ what: 'page', id, at });
  }
  for (const [id, at] of poll.checks)
    candidates.push(id === thread?.id ? { what: 'thread', id, at } : { what: 'page', id, at });
  const ready = candidates.filter(({ what }) => what !== 'thread' || thread?.isInFlight !== true);
  const first = ready.reduce<NextRead | null>((best, read) => (best === null || read.at < best.at ? read : best), null);
  if (first === null) return null;
  const isPaced = first.what === 'list-step' && poll.listStep?.isUrgent === true;
  return first.at <= now || isPaced ? first : { ...first, at: alignedAt(first, ready) };
}

/**
 * Both the list and the open conversation show that there is news in it. So they are asked in turn, at equal distances,
 * and each as often as by itself. Null where one of them is due for another reason, or the server reports news by itself.
 */
function nextInTurn(poll: PollState, now: number): NextRead | null {
  const { thread, list } = poll;
  if (thread === null || thread.lastAsked === null || list.lastAsked === null) return null;
  const isPlain = (one: PolledState): boolean => !one.isDue && !one.isInFlight && one.notBefore <= now;
  if (!isPlain(thread) || !isPlain(list) || list.heldUntil !== null || list.heldFrom !== null) return null;
  const every = { thread: everyMs(poll, 'thread', now), list: everyMs(poll, 'list', now) };
  const distance = (every.thread * every.list) / (every.thread + every.list);
  const at = Math.max(thread.lastAsked, list.lastAsked) + distance;
  const isThreadNext = thread.lastAsked + every.thread <= list.lastAsked + every.list;
  return isThreadNext ? { what: 'thread', id: thread.id, at } : { what: 'list', at };
}

function eachByItself(poll: PollState, now: number): NextRead[] {
  const { thread, list } = poll;
  const candidates: NextRead[] = [];
  if (thread !== null && !thread.isInFlight)
    candidates.push({ what: 'thread', id: thread.id, at: dueAt(thread, everyMs(poll, 'thread', now)) });
  if (!list.isInFlight) candidates.push({ what: 'list', at: listDueAt(poll, now) });
  return candidates;
}

/** The time from the end of one request for it to the next. */
function everyMs(poll: PollState, what: Polled, now: number): number {
  const { pace, lastActivity, isFocused } = poll;
  const { rule, rhythm, lastNews, wallOffset } = pace;
  const quietMs = Math.max(0, now - Math.max(lastActivity, lastNews[what]));
  const isReported = what === 'thread' && poll.list.heldFrom !== null && stepOf(quietMs) > 0;
  const factor = isReported ? heldFactor : 1;
  const every = intervalMs(what, {
    quietMs,
    isFocused,
    rhythm: what === 'thread' ? rhythm : usualRhythm,
    wallNow: now + wallOffset,
    allowance: allowanceNow(poll, now),
    rule,
  });
  return factor * every;
}

/** While a request is held, the next one leaves if something makes it due, or when the one that is held is overdue. */
function listDueAt(poll: PollState, now: number): number {
  const { list, lastActivity, pace } = poll;
  if (list.heldUntil !== null && !list.isDue) return list.heldUntil;
  const every = everyMs(poll, 'list', now);
  if (list.heldFrom === null || list.isDue || poll.listStep?.isUrgent === true) return dueAt(list, every);
  // The server is asked again at once, unless that would be more requests than without waiting.
  const isSparing =
    isAtRest(now - Math.max(lastActivity, pace.lastNews.list)) || isThrifty(allowanceNow(poll, now), pace.rule);
  return Math.max(list.notBefore, isSparing ? list.heldFrom + every : (list.lastAsked ?? 0));
}

/** How long the server is asked to wait for news. At rest it is the time between two polls, so that no more requests leave. */
export function listWaitSeconds(poll: PollState, now: number): number {
  const isSparing = isAtRest(now - Math.max(poll.lastActivity, poll.pace.lastNews.list));
  const seconds = isSparing ? Math.floor(everyMs(poll, 'list', now) / 1_000) : usualWaitSeconds;
  return Math.min(longestWaitSeconds, Math.max(usualWaitSeconds, seconds));
}

const usualWaitSeconds = 25;
/** Proxies commonly end a request without an answer after a minute. */
const longestWaitSeconds = 55;
/**
 * Where the server reports new messages by itself, the open conversation is polled for reactions and edits alone, and less
 * often by this factor. This does not hold right after a message: where times are whole seconds, another message in the
 * same second may leave the list as it is.
 */
const heldFactor = 2;

const allowanceNow = ({ pace }: PollState, now: number): Allowance => allowanceAt(pace.allowance, pace.rule, now);

/** Waits for another request that is due just after, so that both cost one wake-up. */
function alignedAt(first: NextRead, all: readonly NextRead[]): number {
  return all.reduce(
    (latest, read) => (read.at - first.at <= togetherMs ? Math.max(latest, read.at) : latest),
    first.at,
  );
}

function dueAt({ isDue, lastAsked, notBefore }: PolledState, everyMs: number): number {
  return isDue || lastAsked === null ? notBefore : Math.max(notBefore, lastAsked + everyMs);
}
