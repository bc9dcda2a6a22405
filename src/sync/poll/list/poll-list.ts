/** Polls the conversation list: usually its first page, and the whole list at first and from time to time. */

import type { ListAnswer } from '../../../api/operations.ts';
import { pageParameters } from '../../../api/paging/list-source.ts';
import { allowedLimit, usualLimit } from '../../../api/paging/observe.ts';
import type { Conversation, ConversationId } from '../../../protocol/types.ts';
import { markListComplete, markOnline } from '../../../state/view/connection.ts';
import { apiError, request, requestOptions } from '../../services/request.ts';
import { type Services, stateOf, update } from '../../services/services.ts';
import { type AppliedRows, applyRows } from './apply-rows.ts';
import { detectRemoved } from './detect-removed.ts';
import { walkInParts } from './paced-walk.ts';
import { isLong, type ListPollState, recallWalk, rememberWalk, walkDueAt } from './poll-state.ts';

/** Called for each page with the conversations whose `last_active_at` moved, or of which nothing was ever read. */
export type OnMoved = (moved: readonly ConversationId[]) => void;

/** True when the list is to be asked for again at once: a write overlapped, or it goes on. Rejects with ApiError. */
export async function pullList(context: Services, memory: ListPollState, onMoved: OnMoved): Promise<boolean> {
  if (memory.mayRecall) recallWalk(context, memory);
  const { walkedAt } = memory;
  const isAgain = walkedAt !== null && walkedAt > 0 && !isLong(memory);
  const isDue = walkedAt === null || (isAgain && context.clock.monotonic() >= walkDueAt(context, memory));
  return isDue || memory.rest !== null ? walkList(context, memory, onMoved) : pullFirstPage(context, memory, onMoved);
}

async function walkList(context: Services, memory: ListPollState, onMoved: OnMoved): Promise<boolean> {
  const mark = context.writes.mark();
  const pagesBefore = memory.rest?.number ?? 0;
  // Once in a run is enough: what is archived elsewhere later is missing from the plain list.
  const plainIsAll = memory.hasLookedForArchived && !memory.leavesOutArchived;
  const result = await walkInParts(context, memory, plainIsAll, {
    take: (conversations) => onMoved(newsOf(applyRows(context, conversations, mark))),
    // The first page of a long list must not wait for its last one.
    look: () => pullFirstPage(context, memory, onMoved),
  });
  memory.walkedAt = context.clock.monotonic();
  memory.walkedPages = pagesBefore + result.pages;
  if (result.isEnd && memory.rest === null) rememberWalk(context, memory, memory.walkedPages);
  const isOver = await finish(context, memory, result.ids, result.complete, mark, true);
  return isOver || memory.rest !== null;
}

/** Polls the first page only, with one request. True and rejections as in `pullList`. */
export async function pullFirstPage(context: Services, memory: ListPollState, onMoved: OnMoved): Promise<boolean> {
  const mark = context.writes.mark();
  const answer = await askFirstPage(context, memory);
  if ('notModified' in answer) {
    update(context, markOnline(context.clock.now()));
    return false;
  }
  const { items, hasMore } = answer.value;
  const taken = applyRows(context, items, mark);
  onMoved(newsOf(taken));
  if (taken.endsInNews && isLong(memory)) memory.hasGap = true;
  const isComplete = hasMore === false && answer.value.skipped === 0;
  // A list that fits on one page needs no walks.
  if (isComplete && !memory.leavesOutArchived) memory.walkedAt = context.clock.monotonic();
  memory.etag = answer.etag;
  const ids = new Set(items.map(({ id }) => id));
  const isStale = await finish(context, memory, ids, isComplete, mark, false);
  // A page that lagged behind a write of ours has to be read again once it does not: it must not be answered by a 304.
  if (isStale || taken.isBehind) memory.etag = null;
  return isStale;
}

async function askFirstPage(context: Services, memory: ListPollState): Promise<ListAnswer<Conversation>> {
  const limit = allowedLimit(stateOf(context).local.capabilities, usualLimit);
  const parameters = pageParameters({ limit, ifNoneMatch: memory.etag ?? undefined });
  try {
    return await request(context, () => context.client().listConversations(parameters, requestOptions(context)));
  } catch (error) {
    // The server has accepted this limit before: the next walk finds the limit that it accepts now.
    if (apiError(error).kind === 'invalid') memory.walkedAt = null;
    throw error;
  }
}

const newsOf = ({ moved, neverRead }: AppliedRows): readonly ConversationId[] => [...moved, ...neverRead];

/** True when the list is to be asked for again at once. */
async function finish(
  context: Services,
  memory: ListPollState,
  ids: ReadonlySet<ConversationId>,
  isComplete: boolean,
  mark: number,
  isWalk: boolean,
): Promise<boolean> {
  update(context, markOnline(context.clock.now()));
  const isListed = (target: string): boolean =>
    target === 'list' || (target.startsWith(conversationTarget) && ids.has(target.slice(conversationTarget.length)));
  const overlapped = context.writes.targetsSince(mark).filter(isListed);
  if (overlapped.length > 0) memory.etag = null;
  const isOver = overlapped.some((target) => context.writes.settledSince(mark, target));
  if (isComplete) update(context, markListComplete);
  if (isComplete && overlapped.length === 0) await detectRemoved(context, memory, ids, isWalk);
  return isOver;
}

const conversationTarget = 'conversation ';
