/** Asks for the conversation list: whole at first and now and then, its first page otherwise. */
import type { Conversation, ConversationId } from '../protocol/types.ts';
import { applyConversations, vanished } from '../state/cache.ts';
import { markListComplete, markOnline } from '../state/connection.ts';
import { sameValue } from '../state/equal.ts';
import { conversationsWithWords, countWords, loseConversation } from '../state/words.ts';
import { requestOptions, type SyncContext, stateOf, throughGate, update } from './context.ts';
import { leftWords } from './left-words.ts';
import { listEverything } from './list-everything.ts';
import { lookFor } from './look-at-conversation.ts';

/** What is remembered from one list request to the next; mutable, owned by the poller. */
export interface ListMemory {
  etag: string | null;
  /** When the whole list was last walked, on the monotonic clock. */
  walkedAt: number | null;
  /** Missing from a complete list although they were there when asked for; when, on the monotonic clock. */
  readonly confirmed: Map<ConversationId, number>;
  /** Archived conversations are seen by walks alone. */
  leavesOutArchived: boolean;
  /** Conversations that are gone and whose unsent words the user has been told of. */
  readonly toldOfWords: Set<ConversationId>;
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

export const emptyListMemory = (): ListMemory => ({
  etag: null,
  walkedAt: null,
  confirmed: new Map(),
  leavesOutArchived: false,
  toldOfWords: new Set(),
});

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
  const take = (conversations: readonly Conversation[]): void => {
    for (const id of merge(context, conversations, mark)) moved.add(id);
  };
  // Looked for once in a run: what is archived elsewhere later shows by its absence.
  const plainIsAll = memory.walkedAt !== null && !memory.leavesOutArchived;
  const result = await listEverything(context, { plainIsAll, onPage: take });
  take(result.conversations);
  memory.walkedAt = context.clock.monotonic();
  memory.leavesOutArchived = result.leavesOutArchived;
  const isStale = await finish(context, memory, result.conversations, result.complete, mark, true);
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
  if (isComplete && !memory.leavesOutArchived) memory.walkedAt = context.clock.monotonic();
  memory.etag = answer.etag;
  const isStale = await finish(context, memory, items, isComplete, mark, false);
  if (isStale) memory.etag = null;
  return { moved, isStale };
}

/** Applies the rows that no write of ours overlapped; answers which of them have news. */
function merge(context: SyncContext, items: readonly Conversation[], mark: number): readonly ConversationId[] {
  const { conversations, lastMessages } = stateOf(context).cache;
  const rows = items.filter(
    (item) => !context.overlaps.since(mark, `conversation ${item.id}`) && !context.overlaps.isBuried(item.id),
  );
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
async function finish(
  context: SyncContext,
  memory: ListMemory,
  items: readonly Conversation[],
  isComplete: boolean,
  mark: number,
  isWalk: boolean,
): Promise<boolean> {
  update(context, markOnline(context.clock.now()));
  const isOverlapped =
    context.overlaps.since(mark, 'list') ||
    items.some((item) => context.overlaps.since(mark, `conversation ${item.id}`));
  if (isOverlapped) memory.etag = null;
  const isOver =
    context.overlaps.over(mark, 'list') || items.some((item) => context.overlaps.over(mark, `conversation ${item.id}`));
  if (isComplete) update(context, markListComplete);
  if (isComplete && !isOverlapped) await removeVanished(context, memory, items, isWalk);
  return isOver;
}

const askedAtOnce = 5;
const confirmedForMs = 60_000;

/**
 * Lists may lag behind the writes, and may leave out what was archived elsewhere: only the server's word on the
 * conversation itself takes it away.
 */
async function removeVanished(
  context: SyncContext,
  memory: ListMemory,
  items: readonly Conversation[],
  isWalk: boolean,
): Promise<void> {
  const now = context.clock.monotonic();
  const { conversations } = stateOf(context).cache;
  const present = new Set(items.map((item) => item.id));
  const withWords = [...conversationsWithWords(stateOf(context))].filter((id) => !present.has(id));
  const absent = [...new Set([...withWords, ...vanished(stateOf(context), present)])];
  const isArchived = (id: ConversationId): boolean => (conversations.get(id)?.archivedAt ?? null) !== null;
  // Walks read the archived ones from their own list; the first page of the plain one says nothing of them.
  if (absent.some(isArchived)) memory.leavesOutArchived = true;
  const suspects = absent.filter(
    (id) =>
      (isWalk || !isArchived(id)) && now - (memory.confirmed.get(id) ?? Number.NEGATIVE_INFINITY) >= confirmedForMs,
  );
  for (const id of suspects.slice(0, askedAtOnce)) {
    const found = await lookAt(context, id);
    if (found === 'gone') {
      context.cache.removeConversation(id);
      update(context, loseConversation(id));
      if (stateOf(context).cache.conversations.has(id)) memory.confirmed.set(id, now);
      tellOfWords(context, memory, id);
    } else memory.confirmed.set(id, now);
  }
}

/** Once a run: they can wait for ever, but not unnoticed. */
function tellOfWords(context: SyncContext, memory: ListMemory, id: ConversationId): void {
  const count = countWords(stateOf(context), id);
  if (count === 0 || memory.toldOfWords.has(id)) return;
  memory.toldOfWords.add(id);
  update(context, leftWords(context, count));
}

async function lookAt(context: SyncContext, id: ConversationId): Promise<'gone' | 'there'> {
  const mark = context.overlaps.mark();
  const found = await lookFor(context, id);
  if (found === null) return 'gone';
  if (found !== 'there') merge(context, [found], mark);
  return 'there';
}
