/**
 * Reads a long list again in the background, one page at a time. Only this finds changes that others made without
 * activity: archiving, pinning, deleting. Between two pages no request is under way.
 *
 *     plain list, in walks of at most 5 minutes (R-PAGE) ──► archived ones, if listed apart ──► lost ones
 *         └── the place is refused: the sweep ends, and the next one begins at the start
 *
 * A sweep does not prove that a conversation is absent, because rows move while it goes on. The server is asked about
 * each conversation that stood on no page.
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

interface SweepState {
  /** The conversations that were known when the sweep began. */
  readonly held: ReadonlyMap<ConversationId, Conversation>;
  readonly seen: Set<ConversationId>;
  reading: 'plain' | 'archived' | 'lost' | 'over';
  next: (() => Promise<Pulled<ListPage, WalkedConversations>>) | null;
  rest: ListPlace | null;
  pages: number;
  hasArchived: boolean;
  /** No row was left out between the pages, as far as they tell. */
  isGapless: boolean;
  readonly unchecked: Iterator<ConversationId>;
  asked: number;
}

const comparedInStep = 2_000;
const askedInSweep = 100;
/** A conversation that still existed is not asked about again within this time. */
const confirmedForMs = 24 * 3_600_000;

export function createSweep(context: Services, memory: ListPollState, onMoved: OnMoved): Sweep {
  const held = stateOf(context).cache.conversations;
  const sweep: SweepState = {
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
      sweep.reading === 'lost' ? lookForLost(context, memory, sweep) : readOn(context, memory, sweep, onMoved),
    isOver: () => sweep.reading === 'over',
  };
}

/** Returns a function that reads the next page of a list. Every request goes through the circuit breaker by itself. */
export function pagesOf(context: Services, filter: { readonly archived?: true }, from: ListPlace | null) {
  const client: Pick<Client, 'listConversations'> = {
    listConversations: (...call) => request(context, () => context.client().listConversations(...call)),
  };
  return pulled<ListPage, WalkedConversations>((onPage) =>
    walkList(context, client, filter, from, (rows, place) => onPage({ rows, place })),
  );
}

async function readOn(context: Services, memory: ListPollState, sweep: SweepState, onMoved: OnMoved): Promise<void> {
  const mark = context.writes.mark();
  const filter = sweep.reading === 'archived' ? { archived: true as const } : {};
  sweep.next ??= pagesOf(context, filter, sweep.rest);
  try {
    const step = await sweep.next();
    if ('result' in step) endWalk(context, memory, sweep, step.result);
    else if (sweep.reading === 'archived' && step.page.rows.some(({ archivedAt }) => archivedAt === null))
      // The server ignores the filter: this is the list that was read just now.
      endList(context, memory, sweep);
    else onMoved(takePage(context, memory, sweep, step.page, mark));
  } catch (error) {
    sweep.next = null;
    if (!isUnknownFilter(error)) throw error;
    if (sweep.reading === 'archived') return endList(context, memory, sweep);
    sweep.reading = 'over';
    memory.walkedAt = context.clock.monotonic();
  }
}

function takePage(
  context: Services,
  memory: ListPollState,
  sweep: SweepState,
  { rows, place }: ListPage,
  mark: number,
): readonly ConversationId[] {
  sweep.rest = place;
  if (sweep.reading === 'plain') {
    sweep.pages = place.number;
    sweep.hasArchived ||= rows.some(({ archivedAt }) => archivedAt !== null);
  } else if (rows.some(({ id }) => !sweep.seen.has(id))) memory.leavesOutArchived = true;
  const { moved } = applyRows(context, rows, mark);
  const { conversations } = stateOf(context).cache;
  // The state's own strings: a second copy of every id would be some megabytes.
  for (const { id } of rows) sweep.seen.add(conversations.get(id)?.id ?? id);
  return moved;
}

function endWalk(context: Services, memory: ListPollState, sweep: SweepState, walked: WalkedConversations): void {
  const { resumeAt: rest, isEnd, isGapless } = walked;
  sweep.next = null;
  sweep.isGapless &&= isGapless && (isEnd || rest !== null);
  if (rest !== null && rest.rowsBefore < mostRows) sweep.rest = rest;
  else endList(context, memory, sweep);
}

function endList(context: Services, memory: ListPollState, sweep: SweepState): void {
  sweep.next = null;
  sweep.rest = null;
  if (sweep.reading === 'plain' && !sweep.hasArchived) {
    sweep.reading = 'archived';
    return;
  }
  sweep.reading = sweep.isGapless ? 'lost' : 'over';
  rememberWalk(context, memory, sweep.pages);
}

/** Asks about one conversation that was known before the sweep and stood on no page, if there is any. */
async function lookForLost(context: Services, memory: ListPollState, sweep: SweepState): Promise<void> {
  const state = stateOf(context);
  const now = context.clock.monotonic();
  const pending = new Set(state.local.outbox.map(conversationOf));
  const isSuspect = (id: ConversationId): boolean =>
    !sweep.seen.has(id) &&
    isAddressable(id) &&
    // Otherwise another answer has shown it meanwhile.
    state.cache.conversations.get(id) === sweep.held.get(id) &&
    (!pending.has(id) || countUnsent(state, id) > 0) &&
    now - (memory.confirmed.get(id) ?? Number.NEGATIVE_INFINITY) >= confirmedForMs;
  for (let compared = 0; compared < comparedInStep; compared++) {
    const { value: id, done } = sweep.unchecked.next();
    if (done === true || sweep.asked >= askedInSweep) {
      sweep.reading = 'over';
      return;
    }
    if (!isSuspect(id)) continue;
    sweep.asked += 1;
    if (await isConversationGone(context, id)) removeConversation(context, memory, id);
    else memory.confirmed.set(id, now);
    return;
  }
}
