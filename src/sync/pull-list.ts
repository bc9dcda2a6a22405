/** Asks for the conversation list: whole at first and now and then, its first page otherwise. */
import type { Conversation, ConversationId } from '../protocol/types.ts';
import { applyConversations, removeConversation, vanished } from '../state/cache.ts';
import { markListComplete, markOnline } from '../state/connection.ts';
import { sameValue } from '../state/equal.ts';
import { learnTraits } from '../state/local.ts';
import { requestOptions, type SyncContext, stateOf, throughGate, update } from './context.ts';

/** What is remembered from one list request to the next; mutable, owned by the poller. */
export interface ListMemory {
  etag: string | null;
  /** When the whole list was last walked, on the monotonic clock. */
  walkedAt: number | null;
  /** Missing from the last complete list; missing again = gone. */
  missing: ReadonlySet<ConversationId>;
}

export interface ListResult {
  /** Conversations with news: their `last_active_at` moved, or nothing of them was ever read. */
  readonly moved: readonly ConversationId[];
  /** A write overlapped, or something is to be seen twice before it is believed: ask again at once. */
  readonly isStale: boolean;
}

const pageLimit = 50;
const walkEveryMs = 300_000;
const walkUnorderedEveryMs = 60_000;

export const emptyListMemory = (): ListMemory => ({ etag: null, walkedAt: null, missing: new Set() });

export async function pullList(context: SyncContext, memory: ListMemory): Promise<ListResult> {
  const now = context.clock.monotonic();
  const isOrdered = stateOf(context).local.traits.conversationOrder?.value === 'newest-first';
  const everyMs = isOrdered ? walkEveryMs : walkUnorderedEveryMs;
  const isWalk = memory.walkedAt === null || (memory.walkedAt > 0 && now - memory.walkedAt >= everyMs);
  return isWalk ? walkList(context, memory) : firstPage(context, memory);
}

async function walkList(context: SyncContext, memory: ListMemory): Promise<ListResult> {
  const mark = context.overlaps.mark();
  const moved = new Set<ConversationId>();
  const { traits } = stateOf(context).local;
  const take = (conversations: readonly Conversation[]): void => {
    for (const id of merge(context, conversations, mark)) moved.add(id);
  };
  const result = await throughGate(context, () =>
    context.paging.listAllConversations({
      client: context.client(),
      traits,
      onPage: take,
      signal: context.signal,
    }),
  );
  take(result.conversations);
  memory.walkedAt = context.clock.monotonic();
  update(context, learnTraits(traits, result.traits));
  const isStale = finish(context, memory, result.conversations, result.complete, mark);
  return { moved: [...moved], isStale };
}

async function firstPage(context: SyncContext, memory: ListMemory): Promise<ListResult> {
  const mark = context.overlaps.mark();
  const ifNoneMatch = memory.etag;
  const answer = await throughGate(context, () =>
    context
      .client()
      .listConversations(
        { limit: pageLimit, ...(ifNoneMatch === null ? {} : { ifNoneMatch }) },
        requestOptions(context),
      ),
  );
  if ('notModified' in answer) {
    update(context, markOnline(context.clock.now()));
    return { moved: [], isStale: false };
  }
  const { items, hasMore } = answer.value;
  const moved = merge(context, items, mark);
  const isComplete = hasMore === false && answer.value.skipped === 0;
  // A list that fits on one page needs no walks.
  if (isComplete) memory.walkedAt = context.clock.monotonic();
  memory.etag = answer.etag;
  const isStale = finish(context, memory, items, isComplete, mark);
  if (isStale) memory.etag = null;
  return { moved, isStale };
}

/** Applies the rows that no write of ours overlapped; answers which of them have news. */
function merge(context: SyncContext, items: readonly Conversation[], mark: number): readonly ConversationId[] {
  const { conversations, lastMessages } = stateOf(context).cache;
  const rows = items.filter((item) => !context.overlaps.since(mark, `conversation ${item.id}`));
  const changed = rows.filter((row) => !sameValue(conversations.get(row.id), row));
  if (changed.length > 0) context.cache.saveConversations(changed);
  const moved = rows.filter((row) => {
    const held = conversations.get(row.id);
    if (row.lastActiveAt === null) return false;
    return held === undefined || held.lastActiveAt !== row.lastActiveAt || !lastMessages.has(row.id);
  });
  update(context, applyConversations(changed, { complete: false }));
  return moved.map((row) => row.id);
}

/** True when the list is to be asked for again at once. */
function finish(
  context: SyncContext,
  memory: ListMemory,
  items: readonly Conversation[],
  isComplete: boolean,
  mark: number,
): boolean {
  update(context, markOnline(context.clock.now()));
  const isOverlapped =
    context.overlaps.since(mark, 'list') ||
    items.some((item) => context.overlaps.since(mark, `conversation ${item.id}`));
  if (isOverlapped) memory.etag = null;
  const isOver =
    context.overlaps.over(mark, 'list') || items.some((item) => context.overlaps.over(mark, `conversation ${item.id}`));
  if (isComplete) update(context, markListComplete);
  if (!isComplete || isOverlapped) return isOver;
  const absent = vanished(stateOf(context), new Set(items.map((item) => item.id)));
  const gone = absent.filter((id) => memory.missing.has(id));
  for (const id of gone) context.cache.removeConversation(id);
  update(context, (state) => gone.reduce((next, id) => removeConversation(id)(next), state));
  // Lists may lag behind the writes: one that lacks a conversation is believed when the next one lacks it too.
  memory.missing = new Set(absent.filter((id) => !gone.includes(id)));
  return memory.missing.size > 0;
}
