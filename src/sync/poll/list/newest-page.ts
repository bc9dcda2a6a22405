/** Polls the newest page of the conversation list, and judges what a complete list proves. */
import type { ListAnswer } from '../../../api/operations.ts';
import { pageParameters } from '../../../api/paging/list-source.ts';
import type { Conversation, ConversationId } from '../../../protocol/types.ts';
import { isEntityTag, type PageValidator } from '../../../state/cache/cached-history.ts';
import { markListComplete } from '../../../state/view/connection.ts';
import { asOnline } from '../../services/connection-status.ts';
import { apiError, request, requestOptions } from '../../services/request.ts';
import { type Services, stateOf, update } from '../../services/services.ts';
import type { Resource } from '../../services/write-tracker.ts';
import { applyRows, findNeverRead, findOutdated } from './apply-rows.ts';
import { detectRemoved, removeEmptied } from './detect-removed.ts';
import { isLongList, type ListPollState, type ListSeen, newestPageLimit } from './poll-state.ts';

type ListPageAnswer = Exclude<ListAnswer<Conversation>, { readonly notModified: true }>;

/** Called for each page with the conversations whose newest messages are worth a request. */
export type OnNews = (ids: readonly ConversationId[]) => void;

/** Reads the page with one request, and asks about conversations that a complete list lacks. Rejects with ApiError. */
export async function readNewestListPage(context: Services, memory: ListPollState, onNews: OnNews): Promise<void> {
  const mark = context.writes.mark();
  await takeNewestPage(context, memory, await askNewestPage(context, memory), mark, onNews);
}

/** Applies an answer to the state. `mark`: from the write tracker, before its request. Rejects with ApiError. */
export async function takeNewestPage(
  context: Services,
  memory: ListPollState,
  answer: ListAnswer<Conversation>,
  mark: number,
  onNews: OnNews,
): Promise<void> {
  removeEmptied(context, memory);
  if ('notModified' in answer) {
    if (memory.isWholeList) noteWholeList(context, memory);
    memory.isAnswered = true;
    if (memory.recalled !== null) confirmRecalled(context, memory, memory.recalled, onNews);
    update(context, asOnline(context));
    return;
  }
  memory.recalled = null;
  const { items, hasMore, skipped } = answer.value;
  const isComplete = hasMore === false && skipped === 0;
  const validator = validatorOf(context, answer, isComplete, mark);
  const { moved, outdated, neverRead, endsInNews, isBehind } = applyRows(context, items, mark, validator);
  // An earlier run may have ended before it had read what the list told it.
  onNews([...moved, ...(memory.isAnswered ? [] : outdated), ...neverRead]);
  memory.isAnswered = true;
  if (endsInNews && isLongList(memory)) memory.hasGap = true;
  memory.isWholeList = false;
  if (isComplete) noteWholeList(context, memory);
  // A page that lagged behind a write of ours has to be read again once it does not: it must not be answered by a 304.
  memory.etag = isBehind ? null : answer.etag;
  const ids = new Set(items.map(({ id }) => id));
  await applyReading(context, memory, { ids, isComplete, isEnd: isComplete, mark, includesArchived: false });
  memory.isWholeList = isComplete && [...stateOf(context).cache.conversations.keys()].every((id) => ids.has(id));
}

/** To be called when the server has confirmed that the stored rows of an earlier run are current. */
function confirmRecalled(
  context: Services,
  memory: ListPollState,
  ids: readonly ConversationId[],
  onNews: OnNews,
): void {
  memory.recalled = null;
  const { conversations } = stateOf(context).cache;
  const rows = ids.flatMap((id) => conversations.get(id) ?? []);
  onNews([...findOutdated(context, rows), ...findNeverRead(context, rows)]);
  if (memory.isWholeList) update(context, markListComplete);
}

/** The validator that is saved with the rows for the next run; null where the stored rows are not those of the page. */
function validatorOf(
  context: Services,
  { value: { items, skipped }, etag }: ListPageAnswer,
  isComplete: boolean,
  mark: number,
): PageValidator | null {
  const ids = items.map(({ id }) => id);
  const present = new Set(ids);
  if (!isEntityTag(etag) || skipped > 0 || overlapping(context, mark, present).length > 0) return null;
  const isWhole = isComplete && [...stateOf(context).cache.conversations.keys()].every((id) => present.has(id));
  return { etag, limit: newestPageLimit(context), ids, isWhole };
}

/** A list that fits on one page needs no further reading, once the archived conversations were looked for. */
function noteWholeList(context: Services, memory: ListPollState): void {
  if (!memory.leavesOutArchived && memory.readingEndedAt !== null) memory.readingEndedAt = context.clock.monotonic();
}

export function newestPageParameters(context: Services, memory: ListPollState) {
  return pageParameters({ limit: newestPageLimit(context), ifNoneMatch: memory.etag ?? undefined });
}

async function askNewestPage(context: Services, memory: ListPollState): Promise<ListAnswer<Conversation>> {
  const parameters = newestPageParameters(context, memory);
  try {
    return await request(context, () => context.client().listConversations(parameters, requestOptions(context)));
  } catch (error) {
    // The server has accepted this limit before: the next reading of the whole list finds what it accepts now.
    if (apiError(error).kind === 'invalid') memory.readingEndedAt = null;
    throw error;
  }
}

/** Applies what a reading of the list proves: that it is complete, and which conversations are gone. Rejects with ApiError. */
export async function applyReading(context: Services, memory: ListPollState, seen: ListSeen): Promise<void> {
  const { ids, isComplete, isEnd, mark } = seen;
  update(context, asOnline(context));
  const overlapped = overlapping(context, mark, ids);
  if (overlapped.length > 0) memory.etag = null;
  memory.isStale ||= overlapped.some((resource) => context.writes.endedSince(mark, resource));
  if (isComplete) update(context, markListComplete);
  if (isEnd && overlapped.length === 0) await detectRemoved(context, memory, seen);
}

const conversationPrefix = 'conversation ';

/** Writes of ours since the mark that the rows may not show. */
function overlapping(context: Services, mark: number, ids: ReadonlySet<ConversationId>): readonly Resource[] {
  const isListed = (resource: string): boolean =>
    resource === 'list' ||
    (resource.startsWith(conversationPrefix) && ids.has(resource.slice(conversationPrefix.length)));
  return context.writes.resourcesSince(mark).filter(isListed);
}
