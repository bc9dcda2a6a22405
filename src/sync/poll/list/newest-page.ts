/** Polls the newest page of the conversation list, and judges what a complete list proves. */
import type { ListAnswer } from '../../../api/operations.ts';
import { pageParameters } from '../../../api/paging/list-source.ts';
import { allowedLimit, usualLimit } from '../../../api/paging/observe.ts';
import type { Conversation, ConversationId } from '../../../protocol/types.ts';
import { markListComplete } from '../../../state/view/connection.ts';
import { asOnline } from '../../services/connection-status.ts';
import { apiError, request, requestOptions } from '../../services/request.ts';
import { type Services, stateOf, update } from '../../services/services.ts';
import { applyRows } from './apply-rows.ts';
import { detectRemoved } from './detect-removed.ts';
import { isLong, type ListPollState } from './poll-state.ts';

/** Called for each page with the conversations whose newest messages are worth a request. */
export type OnNews = (ids: readonly ConversationId[]) => void;

/** Asks with one request, and about conversations that a complete list lacks. Rejects with ApiError. */
export async function pullNewestPage(context: Services, memory: ListPollState, onNews: OnNews): Promise<void> {
  const mark = context.writes.mark();
  await takeNewestPage(context, memory, await askNewestPage(context, memory), mark, onNews);
}

/** Takes an answer in. `mark`: from the write tracker, before its request. Rejects with ApiError. */
export async function takeNewestPage(
  context: Services,
  memory: ListPollState,
  answer: ListAnswer<Conversation>,
  mark: number,
  onNews: OnNews,
): Promise<void> {
  if ('notModified' in answer) {
    if (memory.isWholeList) noteWholeList(context, memory);
    update(context, asOnline(context));
    return;
  }
  const { items, hasMore, skipped } = answer.value;
  const { moved, neverRead, endsInNews, isBehind } = applyRows(context, items, mark);
  onNews([...moved, ...neverRead]);
  if (endsInNews && isLong(memory)) memory.hasGap = true;
  const isComplete = hasMore === false && skipped === 0;
  memory.isWholeList = false;
  if (isComplete) noteWholeList(context, memory);
  // A page that lagged behind a write of ours has to be read again once it does not: it must not be answered by a 304.
  memory.etag = isBehind ? null : answer.etag;
  const ids = new Set(items.map(({ id }) => id));
  await settleList(context, memory, { ids, isComplete, mark, isWhole: false });
  memory.isWholeList = isComplete && [...stateOf(context).cache.conversations.keys()].every((id) => ids.has(id));
}

/** A list that fits on one page needs no further reading, once the archived conversations were looked for. */
function noteWholeList(context: Services, memory: ListPollState): void {
  if (!memory.leavesOutArchived && memory.walkedAt !== null) memory.walkedAt = context.clock.monotonic();
}

export function newestPageParameters(context: Services, memory: ListPollState) {
  const limit = allowedLimit(stateOf(context).local.capabilities, usualLimit);
  return pageParameters({ limit, ifNoneMatch: memory.etag ?? undefined });
}

async function askNewestPage(context: Services, memory: ListPollState): Promise<ListAnswer<Conversation>> {
  const parameters = newestPageParameters(context, memory);
  try {
    return await request(context, () => context.client().listConversations(parameters, requestOptions(context)));
  } catch (error) {
    // The server has accepted this limit before: the next reading of the whole list finds what it accepts now.
    if (apiError(error).kind === 'invalid') memory.walkedAt = null;
    throw error;
  }
}

export interface ListSeen {
  readonly ids: ReadonlySet<ConversationId>;
  readonly isComplete: boolean;
  /** From the write tracker, before the first request. */
  readonly mark: number;
  /** Archived conversations were read too. */
  readonly isWhole: boolean;
}

/** Takes in what a reading of the list proves. Rejects with ApiError. */
export async function settleList(context: Services, memory: ListPollState, seen: ListSeen): Promise<void> {
  const { ids, isComplete, mark, isWhole } = seen;
  update(context, asOnline(context));
  const isListed = (target: string): boolean =>
    target === 'list' || (target.startsWith(conversationTarget) && ids.has(target.slice(conversationTarget.length)));
  const overlapped = context.writes.targetsSince(mark).filter(isListed);
  if (overlapped.length > 0) memory.etag = null;
  memory.isStale ||= overlapped.some((target) => context.writes.settledSince(mark, target));
  if (isComplete) update(context, markListComplete);
  if (isComplete && overlapped.length === 0) await detectRemoved(context, memory, ids, isWhole);
}

const conversationTarget = 'conversation ';
