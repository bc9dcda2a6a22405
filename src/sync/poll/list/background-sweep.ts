/**
 * Reads a long list again in the background, a page now and then: what changed elsewhere without activity (archived,
 * pinned, deleted) shows by that alone. Between two pages nothing is under way.
 *
 *     plain list, in walks of at most 5 minutes (R-PAGE) ──► archived ones, where they have a list of their own ──► lost ones
 *         └── the place is refused: over, and from the start when the next sweep is due
 *
 * None of it proves an absence, as rows move while it goes on. Of a conversation that it did not come upon the server is
 * asked by itself.
 */
import type { Client } from '../../../api/operations.ts';
import type { WalkedConversations } from '../../../api/paging/paging.ts';
import { isAddressable } from '../../../protocol/id.ts';
import type { Conversation, ConversationId } from '../../../protocol/types.ts';
import { conversationOf } from '../../../state/cache/conversations.ts';
import { countUnsent } from '../../../state/local/unsent-text.ts';
import { isUnknownFilter, walkList } from '../../read/full-list.ts';
import { isConversationGone } from '../../read/read-conversation.ts';
import type { ListPlace } from '../../services/paging.ts';
import { request } from '../../services/request.ts';
import { type Services, stateOf } from '../../services/services.ts';
import { type Pulled, pulled } from '../thread/pulled.ts';
import { applyRows } from './apply-rows.ts';
import { removeConversation } from './detect-removed.ts';
import type { OnMoved } from './poll-list.ts';
import { type ListPollState, mostRows, rememberWalk } from './poll-state.ts';

/** One reading of the whole list. */
export interface Sweep {
  /** One request at most, and a few more where the server's paging has to be found out. Rejects with ApiError. */
  step(): Promise<void>;
  isOver(): boolean;
}

export interface ListPage {
  readonly rows: readonly Conversation[];
  readonly place: ListPlace;
}

interface Books {
  /** As it was at the beginning. */
  readonly held: ReadonlyMap<ConversationId, Conversation>;
  readonly seen: Set<ConversationId>;
  reading: 'plain' | 'archived' | 'lost' | 'over';
  next: (() => Promise<Pulled<ListPage, WalkedConversations>>) | null;
  rest: ListPlace | null;
  pages: number;
  hasArchived: boolean;
  /** Every row stood on some page, as far as the pages tell. */
  isGapless: boolean;
  readonly unchecked: Iterator<ConversationId>;
  asked: number;
}

/** So many conversations are compared in one step, and so many asked about in one sweep. */
const comparedEach = 2_000;
const mostAsked = 100;
/** What was there is not asked about again so soon. */
const confirmedForMs = 24 * 3_600_000;

export function createSweep(context: Services, memory: ListPollState, onMoved: OnMoved): Sweep {
  const held = stateOf(context).cache.conversations;
  const books: Books = {
    held,
    seen: new Set(),
    reading: 'plain',
    next: null,
    rest: null,
    pages: 0,
    hasArchived: false,
    isGapless: true,
    unchecked: held.keys(),
    asked: 0,
  };
  return {
    step: () =>
      books.reading === 'lost' ? lookForLost(context, memory, books) : readOn(context, memory, books, onMoved),
    isOver: () => books.reading === 'over',
  };
}

/** The next page of a list each time it is called; every request goes through the gate by itself. */
export function pagesOf(context: Services, filter: { readonly archived?: true }, from: ListPlace | null) {
  const client: Pick<Client, 'listConversations'> = {
    listConversations: (...call) => request(context, () => context.client().listConversations(...call)),
  };
  return pulled<ListPage, WalkedConversations>((onPage) =>
    walkList(context, client, filter, from, (rows, place) => onPage({ rows, place })),
  );
}

async function readOn(context: Services, memory: ListPollState, books: Books, onMoved: OnMoved): Promise<void> {
  const mark = context.writes.mark();
  const filter = books.reading === 'archived' ? { archived: true as const } : {};
  books.next ??= pagesOf(context, filter, books.rest);
  try {
    const step = await books.next();
    if ('result' in step) endWalk(context, memory, books, step.result);
    else if (books.reading === 'archived' && step.page.rows.some(({ archivedAt }) => archivedAt === null))
      // The filter is not heard: this is the list that was read just now.
      endList(context, memory, books);
    else onMoved(takePage(context, memory, books, step.page, mark));
  } catch (error) {
    books.next = null;
    if (!isUnknownFilter(error)) throw error;
    if (books.reading === 'archived') return endList(context, memory, books);
    books.reading = 'over';
    memory.walkedAt = context.clock.monotonic();
  }
}

function takePage(
  context: Services,
  memory: ListPollState,
  books: Books,
  { rows, place }: ListPage,
  mark: number,
): readonly ConversationId[] {
  books.rest = place;
  if (books.reading === 'plain') {
    books.pages = place.number;
    books.hasArchived ||= rows.some(({ archivedAt }) => archivedAt !== null);
  } else if (rows.some(({ id }) => !books.seen.has(id))) memory.leavesOutArchived = true;
  const { moved } = applyRows(context, rows, mark);
  const { conversations } = stateOf(context).cache;
  // The state's own strings: a second copy of every id would be some megabytes.
  for (const { id } of rows) books.seen.add(conversations.get(id)?.id ?? id);
  return moved;
}

function endWalk(context: Services, memory: ListPollState, books: Books, walked: WalkedConversations): void {
  const { resumeAt: rest, isEnd, isGapless } = walked;
  books.next = null;
  books.isGapless &&= isGapless && (isEnd || rest !== null);
  if (rest !== null && rest.rowsBefore < mostRows) books.rest = rest;
  else endList(context, memory, books);
}

function endList(context: Services, memory: ListPollState, books: Books): void {
  books.next = null;
  books.rest = null;
  if (books.reading === 'plain' && !books.hasArchived) {
    books.reading = 'archived';
    return;
  }
  books.reading = books.isGapless ? 'lost' : 'over';
  rememberWalk(context, memory, books.pages);
}

/** Asks about one of those that were known before and stood on no page, if there is any. */
async function lookForLost(context: Services, memory: ListPollState, books: Books): Promise<void> {
  const state = stateOf(context);
  const now = context.clock.monotonic();
  const pending = new Set(state.local.outbox.map(conversationOf));
  const isSuspect = (id: ConversationId): boolean =>
    !books.seen.has(id) &&
    isAddressable(id) &&
    // Some other answer has shown it meanwhile.
    state.cache.conversations.get(id) === books.held.get(id) &&
    (!pending.has(id) || countUnsent(state, id) > 0) &&
    now - (memory.confirmed.get(id) ?? Number.NEGATIVE_INFINITY) >= confirmedForMs;
  for (let compared = 0; compared < comparedEach; compared++) {
    const { value: id, done } = books.unchecked.next();
    if (done === true || books.asked >= mostAsked) {
      books.reading = 'over';
      return;
    }
    if (!isSuspect(id)) continue;
    books.asked += 1;
    if (await isConversationGone(context, id)) removeConversation(context, memory, id);
    else memory.confirmed.set(id, now);
    return;
  }
}
