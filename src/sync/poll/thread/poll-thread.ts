/** Asks for the newest page of one conversation and merges it. Page observers take part at every stage. */
import { allowedLimit, usualLimit } from '../../../api/paging/observe.ts';
import type { Newest, NewestAnswer } from '../../../api/paging/paging.ts';
import type { ServerCapabilities } from '../../../protocol/capabilities.ts';
import type { ConversationId, Message, MessageId, Millis } from '../../../protocol/types.ts';
import { isEntityTag, type PageValidator } from '../../../state/cache/cached-history.ts';
import type { AppState } from '../../../state/model/app-state.ts';
import type { Transition } from '../../../state/store.ts';
import { setFailure, setLoading } from '../../../state/view/connection.ts';
import { patchView } from '../../../state/view/view.ts';
import { type KnownTail, knownNewest } from '../../merge/known-newest.ts';
import type { ConfirmedItems } from '../../read/absent-items.ts';
import type { PageObserver } from '../../services/page-observer.ts';
import { request, waitOutLimit } from '../../services/request.ts';
import { type Services, stateOf, update } from '../../services/services.ts';
import { removeAbsent } from './absent-messages.ts';
import type { Viewing } from './arrived-messages.ts';
import { gapInWindow } from './backfill.ts';
import { compareWithKnown, keepRows, mergeRows, type Reading } from './merge-newest-page.ts';
import { completeOpenThread } from './opening-window.ts';

/** What is remembered of conversations from one request to the next. It is mutable and owned by the poller. */
export interface ThreadPollState {
  /** The validator of the last answer for each conversation. */
  readonly validators: Map<ConversationId, PageValidator>;
  readonly confirmed: ConfirmedItems<MessageId>;
  /** When the last successful reading of a conversation began, on the monotonic clock. */
  readonly lastReadingAt: Map<ConversationId, number>;
  /** Gaps that were asked for in vain. Until the time on the monotonic clock, news alone is a reason to ask again. */
  readonly gapsInVain: Map<ConversationId, { readonly gap: MessageId; readonly until: number }>;
}

export interface ThreadResult {
  readonly hasNews: boolean;
  /** Unread messages came into sight of the user and count as read, which the server is still to be told. */
  readonly isRead: boolean;
  /** A write overlapped the reading and has ended: ask again at once. */
  readonly isStale: boolean;
  /** How many pages were read. */
  readonly pages: number;
  /** When the server answered, by its own clock; null where it does not say. */
  readonly serverDate: Millis | null;
}

/** A gap that could not be read is asked for again after this time. The newest messages are polled meanwhile. */
const failedGapMs = 60_000;

/** A page joins what is known when it shows one of this many newest known messages. */
const joinIds = 100;

export const emptyThreadPollState = (): ThreadPollState => ({
  validators: new Map(),
  confirmed: new Map(),
  lastReadingAt: new Map(),
  gapsInVain: new Map(),
});

/**
 * Reads the newest page once. Rejects with ApiError.
 *
 * @param viewing says how the user sees the conversation when the page is merged, which may be long after the request
 */
export async function readThread(
  context: Services,
  memory: ThreadPollState,
  id: ConversationId,
  viewing: () => Viewing,
  observers: readonly PageObserver[],
): Promise<ThreadResult> {
  const reading = beginReading(context, id, observers);
  const isFirst = !memory.lastReadingAt.has(id);
  const validator = isFirst ? storedValidator(context, id) : (memory.validators.get(id) ?? null);
  const answer = await askForPage(context, reading, validator);
  memory.lastReadingAt.set(id, reading.startedAt);
  if ('notModified' in answer) {
    update(context, succeeded(id));
    reportToObservers(reading, []);
    if (validator !== null) memory.validators.set(id, validator);
    const seen = viewing();
    const isRead =
      isFirst || seen.isOpening || hasGapToFill(context, memory, id)
        ? await complete(context, memory, id, seen)
        : false;
    return { hasNews: false, isRead, isStale: false, pages: 1, serverDate: null };
  }
  const pages = answer.pages ?? 1;
  const compared = await compareWithKnown(context, reading, answer);
  const kept = await keepRows(context, reading, answer, compared);
  const isStale = answer.messages.some((row) => context.writes.endedSince(reading.mark, `message ${row.id}`));
  const next = kept.isPartial ? null : validatorOf(answer);
  const isWritten = next !== null && isEntityTag(next.etag) && compared.missing.length === 0;
  const rows = { ...kept, validator: isWritten ? next : null };
  const seen = viewing();
  const line = () => stateOf(context).local.readLines.get(id);
  const lineBefore = line();
  const hasNews = mergeRows(context, reading, answer, compared, rows, seen);
  // What the first reading after the opening brings is part of the opening, which reports it. The first line of a
  // conversation is set by what the server says, also where nobody has seen its messages.
  const hasRead = !seen.isOpening && line() !== lineBefore && !stateOf(context).cache.unread.has(id);
  if (hasRead) update(context, oweReport(id));
  for (const message of kept.rows) context.unlisted.removeSend(message.id);
  reportToObservers(reading, kept.rows);
  if (next === null) memory.validators.delete(id);
  else memory.validators.set(id, next);
  if (compared.missing.length > 0) {
    const removed = await removeAbsent(context, memory.confirmed, id, compared.missing, reading.mark);
    // The other missing messages are checked with the next page, which must not be answered by "not modified".
    if (removed < compared.missing.length) memory.validators.delete(id);
  }
  const isRead = (await complete(context, memory, id, seen)) || hasRead;
  return { hasNews, isRead, isStale, pages, serverDate: answer.serverDate ?? null };
}

const limitOf = (capabilities: ServerCapabilities): number => allowedLimit(capabilities, usualLimit);

/** The validator of the newest-first page that the answer begins with; null where the answer has none. */
function validatorOf({ etag, messages, complete, capabilities }: Newest): PageValidator | null {
  if (etag === null) return null;
  const limit = limitOf(capabilities);
  return { etag, limit, ids: messages.slice(-limit).map(({ id }) => id), isWhole: complete };
}

/** Whether all rows of the page are still known here: "not modified" would leave out lost ones for good. */
function isOfHeldPage(
  { limit, ids }: PageValidator,
  { messages }: KnownTail,
  capabilities: ServerCapabilities,
): boolean {
  const held = new Set(messages.map(({ id }) => id));
  return limit === limitOf(capabilities) && ids.every((id) => held.has(id));
}

/** Null where another process has stored a page with news since this one was started: "not modified" would leave them out. */
function storedValidator({ cache, store }: Services, id: ConversationId): PageValidator | null {
  const validator = cache.validator(id);
  const shown = store.getState().cache.lastMessages.get(id);
  return shown === undefined || shown.id === validator?.ids.at(-1) ? validator : null;
}

/** An earlier reading may have left a gap: it failed, or had more to ask for, or the window was elsewhere. */
function hasGapToFill(context: Services, { gapsInVain }: ThreadPollState, id: ConversationId): boolean {
  const gap = gapInWindow(context, id);
  const asked = gapsInVain.get(id);
  return gap !== undefined && (gap !== asked?.gap || context.clock.monotonic() >= asked.until);
}

/** As `completeOpenThread`, and remembers a gap that was asked for in vain. */
async function complete(
  context: Services,
  { gapsInVain }: ThreadPollState,
  id: ConversationId,
  seen: Viewing,
): Promise<boolean> {
  if (stateOf(context).view.openId !== id) return false;
  const before = gapInWindow(context, id);
  let until = context.clock.monotonic() + failedGapMs;
  try {
    const isRead = await completeOpenThread(context, id, seen);
    // The server has nothing for a gap that is where it was.
    until = Number.POSITIVE_INFINITY;
    return isRead;
  } finally {
    const gap = gapInWindow(context, id);
    if (gap !== undefined && gap === before) gapsInVain.set(id, { gap, until });
    else gapsInVain.delete(id);
  }
}

function beginReading(context: Services, id: ConversationId, observers: readonly PageObserver[]): Reading {
  return {
    id,
    startedAt: context.clock.monotonic(),
    mark: context.writes.mark(),
    outline: knownNewest(context, id),
    capabilities: stateOf(context).local.capabilities,
    observations: observers.map((observe) => observe(context, id)),
  };
}

function askForPage(
  context: Services,
  { id, outline, capabilities, observations }: Reading,
  validator: PageValidator | null,
): Promise<NewestAnswer> {
  const reachBackTo = observations.find((one) => one.reachBackTo !== undefined)?.reachBackTo;
  const needsRows = observations.some((one) => one.needsRows);
  const isUsable = validator !== null && !needsRows && isOfHeldPage(validator, outline, capabilities);
  return request(context, () =>
    context.paging.fetchNewest({
      client: context.client(),
      conversationId: id,
      knownNewest: reachBackTo ?? joinsOf(context, outline),
      capabilities,
      ifNoneMatch: isUsable ? validator.etag : undefined,
      signal: context.signal,
      waitOut: waitOutLimit(context),
    }),
  );
}

/** Messages known only from answers to sends prove nothing about the messages before them. */
const joinsOf = (context: Services, known: KnownTail): readonly MessageId[] =>
  known.messages
    .map((message) => message.id)
    .filter((id) => !context.unlisted.hasSend(id))
    .slice(-joinIds);

function reportToObservers({ observations }: Reading, rows: readonly Message[]): void {
  for (const one of observations) one.after?.(rows);
}

/** What follows may fail; then the next poll that is answered reports what was read. */
const oweReport =
  (id: ConversationId): Transition =>
  (state) =>
    state.settings.revealReading ? patchView(state, { unreported: id }) : state;

const succeeded =
  (id: ConversationId) =>
  (state: AppState): AppState =>
    setLoading(id, false)(setFailure(id, null)(state));
