/** Asks for the conversation list: whole at first and now and then, its first page otherwise. */
import { pageParameters } from '../api/list-source.ts';
import type { ListAnswer } from '../api/operations.ts';
import { allowedLimit, usualLimit } from '../api/traits.ts';
import type { Conversation, ConversationId } from '../protocol/types.ts';
import { applyConversations, vanished } from '../state/cache.ts';
import { markListComplete, markOnline } from '../state/connection.ts';
import { sameValue } from '../state/equal.ts';
import { conversationsWithWords, countWords, loseConversation } from '../state/words.ts';
import { apiError, remember, requestOptions, type SyncContext, stateOf, throughGate, update } from './context.ts';
import { leftWords } from './left-words.ts';
import { lookFor } from './look-at-conversation.ts';
import type { ListPlace } from './paging.ts';
import { partFromFormer } from './replaced-conversation.ts';
import { walkInParts } from './walk-list.ts';

/** What is remembered from one list request to the next; mutable, owned by the poller. */
export interface ListMemory {
  etag: string | null;
  /** When the whole list was last walked, on the monotonic clock. */
  walkedAt: number | null;
  /** How many pages that took: a list of many is walked the more rarely. */
  walkedPages: number;
  /** A long list is read up to here, and the next walk goes on from here. */
  rest: ListPlace | null;
  /** Missing from a complete list although they were there when asked for; when, on the monotonic clock. */
  readonly confirmed: Map<ConversationId, number>;
  /** The list of archived ones was read, too, unless the plain one has them. */
  hasLookedForArchived: boolean;
  /** Archived conversations are seen by walks alone. */
  leavesOutArchived: boolean;
  /** Conversations that are gone and whose unsent words the user has been told of. */
  readonly toldOfWords: Set<ConversationId>;
}

/** Told of conversations with news, page by page: their `last_active_at` moved, or nothing of them was ever read. */
export type OnMoved = (moved: readonly ConversationId[]) => void;

const walkEveryMs = 300_000;
const walkUnorderedEveryMs = 60_000;
/** Walks take up no more than a request in so many milliseconds. */
const walkedPageMs = 3_000;

export const emptyListMemory = (): ListMemory => ({
  etag: null,
  walkedAt: null,
  walkedPages: 0,
  rest: null,
  confirmed: new Map(),
  hasLookedForArchived: false,
  leavesOutArchived: false,
  toldOfWords: new Set(),
});

/** True when the list is to be asked for again at once: a write overlapped, or it goes on. Rejects with ApiError. */
export async function pullList(context: SyncContext, memory: ListMemory, onMoved: OnMoved): Promise<boolean> {
  const now = context.clock.monotonic();
  const isOrdered = stateOf(context).local.traits.conversationOrder?.value === 'newest-first';
  const everyMs = Math.max(isOrdered ? walkEveryMs : walkUnorderedEveryMs, memory.walkedPages * walkedPageMs);
  const isDue = memory.walkedAt === null || (memory.walkedAt > 0 && now - memory.walkedAt >= everyMs);
  return isDue || memory.rest !== null ? walkList(context, memory, onMoved) : pullFirstPage(context, memory, onMoved);
}

async function walkList(context: SyncContext, memory: ListMemory, onMoved: OnMoved): Promise<boolean> {
  const mark = context.overlaps.mark();
  // Looked for once in a run: what is archived elsewhere later shows by its absence.
  const plainIsAll = memory.hasLookedForArchived && !memory.leavesOutArchived;
  const result = await walkInParts(context, memory, plainIsAll, {
    take: (conversations) => onMoved(merge(context, conversations.map(context.overlaps.conversations.caughtUp), mark)),
    // The head of a long list is not to wait for its end.
    look: () => pullFirstPage(context, memory, onMoved),
  });
  memory.walkedAt = context.clock.monotonic();
  memory.walkedPages = result.pages;
  const isOver = await finish(context, memory, result.ids, result.complete, mark, true);
  return isOver || memory.rest !== null;
}

/** As `pullList`, and no more than one request for the list. */
export async function pullFirstPage(context: SyncContext, memory: ListMemory, onMoved: OnMoved): Promise<boolean> {
  const mark = context.overlaps.mark();
  const answer = await askFirstPage(context, memory);
  if ('notModified' in answer) {
    update(context, markOnline(context.clock.now()));
    return false;
  }
  const { items, hasMore } = answer.value;
  const rows = items.map(context.overlaps.conversations.caughtUp);
  onMoved(merge(context, rows, mark));
  const isComplete = hasMore === false && answer.value.skipped === 0;
  // A list that fits on one page needs no walks.
  if (isComplete && !memory.leavesOutArchived) memory.walkedAt = context.clock.monotonic();
  memory.etag = answer.etag;
  const ids = new Set(items.map(({ id }) => id));
  const isStale = await finish(context, memory, ids, isComplete, mark, false);
  // What a list behind our own write shows is to be heard again, when it is no longer behind.
  if (isStale || rows.some((row, index) => row !== items[index])) memory.etag = null;
  return isStale;
}

async function askFirstPage(context: SyncContext, memory: ListMemory): Promise<ListAnswer<Conversation>> {
  const limit = allowedLimit(stateOf(context).local.traits, usualLimit);
  const parameters = pageParameters({ limit, ifNoneMatch: memory.etag ?? undefined });
  try {
    return await throughGate(context, () => context.client().listConversations(parameters, requestOptions(context)));
  } catch (error) {
    // A limit that was taken before: the next walk finds the one that is taken now.
    if (apiError(error).kind === 'invalid') memory.walkedAt = null;
    throw error;
  }
}

/** Applies the rows that no write of ours overlapped; answers which of them have news. */
function merge(context: SyncContext, items: readonly Conversation[], mark: number): readonly ConversationId[] {
  const { conversations, lastMessages } = stateOf(context).cache;
  const rows = items.filter(
    (item) => !context.overlaps.since(mark, `conversation ${item.id}`) && !context.overlaps.isBuried(item.id),
  );
  const changed = rows.filter((row) => !sameValue(conversations.get(row.id), row));
  for (const row of changed) partFromFormer(context, row);
  if (changed.length > 0) context.cache.saveConversations(changed);
  learnTimeFormat(context, changed.length > 0 ? changed : rows);
  const moved = rows.filter((row) => {
    const held = conversations.get(row.id);
    if (row.lastActiveAt === null) return false;
    return held === undefined || held.lastActiveAt !== row.lastActiveAt || !lastMessages.has(row.id);
  });
  update(context, applyConversations(changed, { complete: false }));
  return moved.map((row) => row.id);
}

/** Only where all agree: a server that writes times in several ways has none of its own. */
function learnTimeFormat(context: SyncContext, rows: readonly Conversation[]): void {
  const [first, ...rest] = rows.flatMap(({ timeFormat }) => timeFormat ?? []);
  if (first === undefined || !rest.every((format) => sameValue(format, first))) return;
  remember(context, 'timeFormat', first, 'GET /v1/conversations');
}

/** True when the list is to be asked for again at once. */
async function finish(
  context: SyncContext,
  memory: ListMemory,
  ids: ReadonlySet<ConversationId>,
  isComplete: boolean,
  mark: number,
  isWalk: boolean,
): Promise<boolean> {
  update(context, markOnline(context.clock.now()));
  const isListed = (target: string): boolean =>
    target === 'list' || (target.startsWith(conversationTarget) && ids.has(target.slice(conversationTarget.length)));
  const overlapped = context.overlaps.targetsSince(mark).filter(isListed);
  if (overlapped.length > 0) memory.etag = null;
  const isOver = overlapped.some((target) => context.overlaps.over(mark, target));
  if (isComplete) update(context, markListComplete);
  if (isComplete && overlapped.length === 0) await removeVanished(context, memory, ids, isWalk);
  return isOver;
}

const conversationTarget = 'conversation ';

const askedAtOnce = 5;
const confirmedForMs = 60_000;

/**
 * Lists may lag behind the writes, and may leave out what was archived elsewhere: only the server's word on the
 * conversation itself takes it away.
 */
async function removeVanished(
  context: SyncContext,
  memory: ListMemory,
  present: ReadonlySet<ConversationId>,
  isWalk: boolean,
): Promise<void> {
  const now = context.clock.monotonic();
  const { conversations } = stateOf(context).cache;
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
