/**
 * The conversations that the list shows, in order, and which of them match its filter. After a change only the changed
 * ones are sorted in anew.
 */
import type { Conversation, ConversationId, Message, Millis } from '../../protocol/types.ts';
import { fold, foldedWords } from '../../text/search/find.ts';
import { conversationOf } from '../cache/conversations.ts';
import { memoBy, memoLast, sameList } from '../collections/memo.ts';
import { eachChange } from '../collections/sharded-map.ts';
import { differenceOf, type Edit, edited, lowerBound } from '../collections/sorted.ts';
import { shownConversation } from '../local/optimistic-values.ts';
import type { AppState, ListView, Op } from '../model/app-state.ts';
import { conversationName, usernameBehindName } from './names.ts';

type Ids = readonly ConversationId[];

/**
 * The ids of the conversations in the present view that match the filter: pinned first, then by last activity, newest
 * first. In a frozen order new conversations come last. The same array while nothing that it depends on has changed.
 */
export function selectListOrder(state: AppState): Ids {
  const { filter, frozenOrder } = state.view.list;
  const seen = unfilteredOf(state);
  if (filter.trim() === '') return inFrozenOrder(seen.ids, frozenOrder);
  const searched = seen.ids.length > namesAtOnce ? searchMatches(state.view.list) : null;
  const found = searched ?? firstMatches(state);
  return inFrozenOrder(found, frozenOrder);
}

const noOps: readonly Op[] = [];
let lastListOps = noOps;

/** The ops on conversations; the same array while messages come and go in the outbox. */
export const listOps = memoLast((outbox: readonly Op[]): readonly Op[] => {
  const found = outbox.filter(({ action }) => action.kind.startsWith('conversation.'));
  if (!sameList(found, lastListOps)) lastListOps = found;
  return lastListOps;
});

/** Everything that the order and the visibility of conversations depend on. */
interface Inputs {
  readonly conversations: ReadonlyMap<ConversationId, Conversation>;
  readonly lastMessages: ReadonlyMap<ConversationId, Message>;
  readonly ops: readonly Op[];
  readonly view: ListView;
  /** Empty in views that do not depend on it. */
  readonly unread: ReadonlyMap<ConversationId, number>;
  readonly openId: ConversationId | null;
}

interface Unfiltered {
  readonly inputs: Inputs;
  /** With pending changes applied. */
  readonly shown: readonly Conversation[];
  readonly ids: Ids;
}

const none: ReadonlyMap<ConversationId, number> = new Map();

function inputsOf(state: AppState): Inputs {
  const { view } = state.view.list;
  const isUnread = view === 'unread';
  return {
    conversations: state.cache.conversations,
    lastMessages: state.cache.lastMessages,
    ops: listOps(state.local.outbox),
    view,
    unread: isUnread ? state.cache.unread : none,
    openId: isUnread ? state.view.openId : null,
  };
}

let last: Unfiltered | null = null;

function unfilteredOf(state: AppState): Unfiltered {
  const inputs = inputsOf(state);
  if (last !== null && sameList(Object.values(last.inputs), Object.values(inputs))) return last;
  const isNext = last !== null && last.inputs.view === inputs.view;
  last = isNext && last !== null ? withChanges(last, inputs) : fromScratch(inputs, last?.ids ?? []);
  return last;
}

/** A conversation with the time by which it is sorted. */
interface Placed {
  readonly shown: Conversation;
  readonly at: number;
}

function placed(shown: Conversation, { lastMessages }: Inputs): Placed {
  return { shown, at: activeAt(shown, lastMessages) };
}

/** The time of the last activity. If the server does not give it, that of the newest known message, else of creation. */
export const activeAt = (shown: Conversation, lastMessages: ReadonlyMap<ConversationId, Message>): Millis =>
  shown.lastActiveAt ?? lastMessages.get(shown.id)?.createdAt ?? shown.createdAt ?? 0;

/**
 * The cache has the same order on the disk (`conversationColumns` in storage/cache/rows), so that the first frame shows the top
 * of the list.
 */
function compare(a: Placed, b: Placed): number {
  const byRank = Number(b.shown.isPinned) - Number(a.shown.isPinned) || b.at - a.at;
  // Equal ones are sorted by id, as in the cache on disk, so that every start shows the same order.
  return byRank || (a.shown.id < b.shown.id ? -1 : Number(a.shown.id > b.shown.id));
}

function fromScratch(inputs: Inputs, before: Ids): Unfiltered {
  const entries: Placed[] = [];
  for (const conversation of inputs.conversations.values()) {
    const shown = visible(conversation, inputs);
    if (shown !== null) entries.push(placed(shown, inputs));
  }
  const shown = entries.sort(compare).map((entry) => entry.shown);
  const ids = shown.map(({ id }) => id);
  return { inputs, shown, ids: sameList(ids, before) ? before : ids };
}

/** The conversation with pending changes; null where it is not in the view, or is being deleted. */
function visible(conversation: Conversation | undefined, inputs: Inputs): Conversation | null {
  if (conversation === undefined) return null;
  const shown = inputs.ops.length === 0 ? conversation : shownConversation(conversation, inputs.ops);
  return shown !== null && isInView(shown, inputs) ? shown : null;
}

/** The open conversation stays in the view of unread ones while it is being read. */
function isInView(conversation: Conversation, { view, unread, openId }: Inputs): boolean {
  if (view === 'archived') return conversation.archivedAt !== null;
  if (conversation.archivedAt !== null) return false;
  if (view === 'all') return true;
  if (view === 'unread') return conversation.id === openId || (unread.get(conversation.id) ?? 0) > 0;
  if (view === 'pinned') return conversation.isPinned;
  if (view === 'muted') return conversation.isMuted;
  return conversation.groupId === view.groupId;
}

/** When more than a quarter of a list has changed, sorting it anew is faster. */
const manyShare = 4;

function withChanges(before: Unfiltered, inputs: Inputs): Unfiltered {
  const changed = changedIds(before.inputs, inputs);
  if (changed.size > 64 && changed.size > before.ids.length / manyShare) return fromScratch(inputs, before.ids);
  const edits = editsOf(before, inputs, changed);
  if (edits.length === 0) return { ...before, inputs };
  const ids = edited(before.ids, edits.map(withIds));
  return { inputs, shown: edited(before.shown, edits), ids: sameList(ids, before.ids) ? before.ids : ids };
}

const withIds = ({ at, removes, inserts }: Edit<Conversation>): Edit<ConversationId> => ({
  at,
  removes,
  inserts: inserts.map(({ id }) => id),
});

/** The ids of all conversations whose place may have changed. */
function changedIds(before: Inputs, now: Inputs): ReadonlySet<ConversationId> {
  const ids = new Set<ConversationId>();
  const add = (id: ConversationId | null): unknown => id !== null && ids.add(id);
  eachChange(before.conversations, now.conversations, add);
  eachChange(before.lastMessages, now.lastMessages, (id) => {
    if (now.conversations.get(id)?.lastActiveAt === null) ids.add(id);
  });
  eachChange(before.unread, now.unread, add);
  if (before.ops !== now.ops) for (const op of [...before.ops, ...now.ops]) add(conversationOf(op));
  if (before.openId !== now.openId) for (const id of [before.openId, now.openId]) add(id);
  return ids;
}

function editsOf(
  { inputs: old, shown }: Unfiltered,
  now: Inputs,
  changed: ReadonlySet<ConversationId>,
): readonly Edit<Conversation>[] {
  const removed = new Set<number>();
  const added: Placed[] = [];
  const placeOf = (wanted: Placed): number => lowerBound(shown, (item) => compare(placed(item, old), wanted));
  for (const id of changed) {
    const was = visible(old.conversations.get(id), old);
    const is = visible(now.conversations.get(id), now);
    if (was !== null) removed.add(placeOf(placed(was, old)));
    if (is !== null) added.push(placed(is, now));
  }
  const edits = new Map([...removed].map((at) => [at, { at, removes: true, inserts: [] as Conversation[] }]));
  for (const entry of added.sort(compare)) {
    const at = placeOf(entry);
    const edit = edits.get(at);
    if (edit === undefined) edits.set(at, { at, removes: false, inserts: [entry.shown] });
    else edit.inserts.push(entry.shown);
  }
  return [...edits.values()].sort((a, b) => a.at - b.at);
}

/** The most names that are searched within a key press; a longer list is searched in parts, see `list-search.ts`. */
export const namesAtOnce = 500;

/** The order without the filter. */
export const selectWholeOrder = (state: AppState): Ids => unfilteredOf(state).ids;

const firstNames = memoLast((shown: readonly Conversation[]) => shown.slice(0, namesAtOnce));

/** The matches of the search for the filter that are shown; null where the search has no result yet. */
export function searchMatches({ search, filter }: AppState['view']['list']): Ids | null {
  if (search === undefined || search === null || search.filter !== filter) return null;
  return search.previousMatches ?? search.matches;
}

/** Whether the shown name of the conversation, or the username behind it, contains each of the folded words. */
export function isNamed(state: AppState, conversation: Conversation, words: readonly string[]): boolean {
  const name = fold(conversationName(state, conversation));
  const username = state.local.names.size === 0 ? null : usernameBehindName(state, conversation.contactId);
  const names = username === null ? name : `${name}\n${fold(username)}`;
  return words.every((word) => names.includes(word));
}

/** The matches among the first `namesAtOnce` conversations. */
const firstMatches = memoBy(
  (state: AppState) => [
    firstNames(unfilteredOf(state).shown),
    state.view.list.filter,
    state.cache.contacts,
    state.local.names,
  ],
  (state): Ids => {
    const words = foldedWords(state.view.list.filter);
    const among = firstNames(unfilteredOf(state).shown);
    return among.filter((conversation) => isNamed(state, conversation, words)).map(({ id }) => id);
  },
);

interface FrozenList {
  readonly ids: Ids;
  readonly order: Ids;
  readonly shown: Ids;
  /** The conversations of the frozen order that are still listed, in that order. */
  readonly remaining: Ids;
  /** The conversations of the frozen order that are no longer listed. One that comes back gets its old place. */
  readonly gone: ReadonlySet<ConversationId>;
  readonly newcomers: ReadonlySet<ConversationId>;
}

let lastFrozen: FrozenList | null = null;

/** Applies the frozen order: listed conversations keep their places, and new ones come last in list order. */
function inFrozenOrder(ids: Ids, order: Ids | null): Ids {
  if (order === null || order === ids) return ids;
  const held = lastFrozen;
  const isHeld = held !== null && (held.order === order || held.shown === order);
  if (isHeld && held.ids === ids && held.order === order) return held.shown;
  lastFrozen = (isHeld ? updatedFrozenList(held, ids, order) : null) ?? freshFrozenList(ids, order);
  return lastFrozen.shown;
}

function freshFrozenList(ids: Ids, order: Ids): FrozenList {
  const { lost, gained } = differenceOf(order, ids);
  return joined({ ids, order, remaining: without(order, lost), gone: lost, newcomers: new Set(gained) });
}

/** Updates the last result; null when a conversation has come back, for which it has to be computed anew. */
function updatedFrozenList(held: FrozenList, ids: Ids, order: Ids): FrozenList | null {
  const { lost, gained } = differenceOf(held.ids, ids);
  const isSame = held.order === order;
  const gone = isSame ? held.gone : new Set<ConversationId>();
  if (gained.some((id) => gone.has(id))) return null;
  const newcomers = new Set(isSame ? held.newcomers : []);
  for (const id of lost) newcomers.delete(id);
  for (const id of gained) newcomers.add(id);
  const kept = without(isSame ? held.remaining : order, lost);
  return joined({ ids, order, remaining: kept, gone: new Set([...gone, ...lost]), newcomers });
}

const without = (ids: Ids, lost: ReadonlySet<ConversationId>): Ids =>
  lost.size === 0 ? ids : ids.filter((id) => !lost.has(id));

function joined(parts: Omit<FrozenList, 'shown'>): FrozenList {
  const { ids, remaining: kept, newcomers } = parts;
  const shown = newcomers.size === 0 ? kept : [...kept, ...ids.filter((id) => newcomers.has(id))];
  return { ...parts, shown: sameList(shown, ids) ? ids : shown };
}
