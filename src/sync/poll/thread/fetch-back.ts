/** Finds a message of a conversation by its place in the history, and fetches history until it is there. */
import type { ConversationId, Message, MessageId, Millis } from '../../../protocol/types.ts';
import type { FetchedBack, Found, HistoryAim, HistoryKey } from '../../../state/cache/cached-history.ts';
import { compareMessages } from '../../../state/cache/thread-order.ts';
import { quotedText } from '../../../state/composer/quote.ts';
import { isQuoted } from '../../../state/select/quoted.ts';
import { pause } from '../../services/clock.ts';
import { apiError } from '../../services/request.ts';
import { type Services, stateOf } from '../../services/services.ts';
import { fetchBefore, historyKeyOf, moveGap } from './backfill.ts';

/** The number of oldest cached messages that a server may need to decide where its next page begins. */
const knownRows = 50;
/** The pause between two requests, in which polls and the user's own messages can be sent. */
const betweenPagesMs = 200;
/** While a request has to wait, the caller is asked this often whether the search is still wanted. */
const waitStepMs = 500;
const mostQuotedRows = 5_000;
const mostPages = 20_000;

/** A key before every message of a conversation, also before those without a time. */
const beforeAll: HistoryKey = { createdAt: null, rank: Number.MIN_SAFE_INTEGER, id: '' };

/** A key after all messages without a time. */
const beforeTimed: HistoryKey = { ...beforeAll, createdAt: Number.MIN_SAFE_INTEGER };

/** Looks for the message in the cache alone, by its index. */
export function findInHistory(context: Services, id: ConversationId, aim: HistoryAim): Found {
  const { older } = context.cache.reach(id);
  const isAll = older === 'end' || older === 'unreachable';
  if (aim.kind === 'message') {
    const message = context.cache.message(id, aim.messageId);
    return message === null ? beyond(isAll) : historyKeyOf(message);
  }
  if (aim.kind === 'quoted') return quotedBefore(context, id, aim);
  const from = aim.kind === 'first' ? beforeAll : { ...beforeAll, createdAt: aim.at };
  if (!isAll && (aim.kind === 'first' || !reaches(oldestCached(context, id), aim.at))) return 'further back';
  const [first] = context.cache.history(id, { after: from }, 1).messages;
  return first === undefined ? null : historyKeyOf(first);
}

/** Finds the message that was quoted before `before`. It reads no more rows than a key may wait for. */
function quotedBefore(context: Services, id: ConversationId, { quote, before }: QuotedAim): Found {
  let found: HistoryKey | null = null;
  let left = mostQuotedRows;
  context.cache.scanTexts(id, before, (key, text) => {
    if (quotedText(text) === quote.body) found = key;
    return found === null && --left > 0;
  });
  const key = found as HistoryKey | null;
  const message = key === null ? null : context.cache.message(id, key.id);
  return message !== null && isQuoted(stateOf(context), quote, message) ? key : null;
}

const beyond = (isAll: boolean): Found => (isAll ? null : 'further back');

/** Those with a time, as the ones without say nothing about how far back the cache reaches; unless none has a time. */
function oldestCached(context: Services, id: ConversationId): readonly Message[] {
  const timed = context.cache.history(id, { after: beforeTimed }, knownRows).messages;
  return timed.length > 0 ? timed : context.cache.history(id, { after: beforeAll }, knownRows).messages;
}

const oldestTime = (messages: readonly Message[]): Millis | null =>
  messages.find(({ createdAt }) => createdAt !== null)?.createdAt ?? null;

function reaches(oldest: readonly Message[], at: Millis): boolean {
  const time = oldestTime(oldest);
  return time !== null && time < at;
}

type QuotedAim = Extract<HistoryAim, { kind: 'quoted' }>;

export interface FetchBackOptions {
  /** Asked before every request. */
  readonly isWanted: () => boolean;
  /** Called after every page, and every wait for one, with the time of the oldest message. */
  readonly onPage: (oldest: Millis | null) => void;
}

/**
 * Fetches older messages into the cache until the one that is looked for is among them. The part of the history that is
 * shown stays as it is. Never rejects with ApiError. Null when it is not wanted any more.
 */
export async function fetchBack(
  context: Services,
  id: ConversationId,
  aim: HistoryAim,
  { isWanted, onPage }: FetchBackOptions,
): Promise<FetchedBack | null> {
  for (let page = 0; page < mostPages; page++) {
    if (!isWanted() || context.signal.aborted) return null;
    const found = findInHistory(context, id, aim);
    if (found !== 'further back') return { found, trouble: null };
    const trouble = await askOrWait(context, page > 0, () => fetchPage(context, id));
    if (trouble !== null) return isWanted() ? { found: null, trouble } : null;
    onPage(oldestTime(oldestCached(context, id)));
  }
  return { found: null, trouble: tooLong };
}

const tooLong = 'The history is too long';

export interface CloseGapsOptions extends Pick<FetchBackOptions, 'isWanted'> {
  /** What is older than this is left out; null: nothing is. */
  readonly since: Millis | null;
}

/**
 * Fetches what is missing between cached messages into the cache. Never rejects with ApiError. Returns why some of it could
 * not be fetched; null when nothing was in the way.
 */
export async function closeGaps(
  context: Services,
  id: ConversationId,
  { isWanted, since }: CloseGapsOptions,
): Promise<string | null> {
  for (let page = 0; page < mostPages; page++) {
    const gap = context.cache.reach(id).gaps.findLast((one) => !isBefore(context.cache.message(id, one), since));
    if (gap === undefined || !isWanted() || context.signal.aborted) return null;
    const trouble = await askOrWait(context, page > 0, () => fetchIntoGap(context, id, gap));
    if (trouble !== null) return trouble;
  }
  return tooLong;
}

/** Whether the message is from before this time, so that all before it are as well. */
const isBefore = (message: Message | null, at: Millis | null): boolean =>
  at !== null && message !== null && message.createdAt !== null && message.createdAt < at;

/**
 * Asks for a page, or waits for a while where nothing may be asked yet. Returns why neither can go on; null: the caller
 * searches the cache again.
 */
async function askOrWait(
  context: Services,
  isNext: boolean,
  ask: () => Promise<string | null>,
): Promise<string | null> {
  if (isNext) await pause(context, betweenPagesMs);
  const waitMs = waitFor(context);
  if (waitMs === null) return whyNothingLeaves(context);
  if (waitMs === 0) return ask();
  await pause(context, Math.min(waitMs, waitStepMs));
  return null;
}

/** @param gap the message before which others are missing */
async function fetchIntoGap(context: Services, id: ConversationId, gap: MessageId): Promise<string | null> {
  const { cache } = context;
  const first = cache.message(id, gap);
  const [beyond] = first === null ? [] : cache.history(id, { before: historyKeyOf(first) }, 1).messages;
  // The message is gone, or all messages before it are.
  if (first === null || beyond === undefined) {
    moveGap(context, id, gap, null);
    return null;
  }
  const known = [first, ...cache.history(id, { after: historyKeyOf(first) }, knownRows - 1).messages];
  try {
    const { rows, older } = await fetchBefore(context, id, known, { isGap: true, toDisk: true });
    const joins = older === 'end' || rows.some((message) => compareMessages(message, beyond) <= 0);
    const oldest = rows[0]?.id ?? gap;
    if (!joins && (oldest === gap || older === 'unreachable')) return noOlder;
    moveGap(context, id, gap, joins ? null : oldest);
    return null;
  } catch (error) {
    return apiError(error).message;
  }
}

const noOlder = 'The server gave no older messages';

/** Returns why no page came; null when one did. */
async function fetchPage(context: Services, id: ConversationId): Promise<string | null> {
  try {
    const { rows, older } = await fetchBefore(context, id, oldestCached(context, id), { toDisk: true });
    return rows.length > 0 || older !== 'server' ? null : noOlder;
  } catch (error) {
    return apiError(error).message;
  }
}

/** How long no request may leave; null when none will before something else happens. */
function waitFor({ circuitBreaker, clock }: Services): number | null {
  const at = circuitBreaker.nextAllowedAt('poll');
  if (at !== null) return Math.max(0, at - clock.monotonic());
  return circuitBreaker.blockedBy() === null ? waitStepMs : null;
}

const whyNothingLeaves = ({ circuitBreaker }: Services): string =>
  circuitBreaker.blockedBy()?.message ?? 'The server is not asked now';
