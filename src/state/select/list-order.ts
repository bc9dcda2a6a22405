/** Which conversations the list shows, and in which order; a change costs what has changed, however long the list is. */
import type { Conversation, ConversationId, Message, Millis } from '../../protocol/types.ts';
import { conversationOf } from '../cache/conversations.ts';
import { memoBy, memoLast, sameList } from '../collections/memo.ts';
import { eachChange } from '../collections/sharded-map.ts';
import { differenceOf, type Edit, edited, lowerBound } from '../collections/sorted.ts';
import { shownConversation } from '../local/outbox.ts';
import type { AppState, ListView, Op } from '../model/app-state.ts';
import { conversationName } from './names.ts';

type Ids = readonly ConversationId[];

/**
 * Pinned first, then by last activity, newest first; the view and the filter applied. A frozen order holds for those
 * in it and newcomers come last. The same array while nothing that it depends on changed.
 */
export function selectListOrder(state: AppState): Ids {
  const { filter, frozenOrder } = state.view.list;
  const seen = seenOf(state);
  if (filter.trim() === '') return frozen(seen.ids, frozenOrder);
  const found = foundIn(state.view.list) ?? named(state);
  return frozen(found, frozenOrder);
}

const noOps: readonly Op[] = [];
let lastListOps = noOps;

/** The ops that change what the list shows; a message on its way changes nothing here. */
const listOps = memoLast((outbox: readonly Op[]): readonly Op[] => {
  const found = outbox.filter(({ action }) => action.kind.startsWith('conversation.'));
  if (!sameList(found, lastListOps)) lastListOps = found;
  return lastListOps;
});

/** Everything that tells where a conversation stands, and whether it is shown. */
interface Inputs {
  readonly conversations: ReadonlyMap<ConversationId, Conversation>;
  readonly lastMessages: ReadonlyMap<ConversationId, Message>;
  readonly ops: readonly Op[];
  readonly view: ListView;
  /** Empty where the view does not ask for it. */
  readonly unread: ReadonlyMap<ConversationId, number>;
  readonly openId: ConversationId | null;
}

interface Seen {
  readonly inputs: Inputs;
  /** As shown, pending changes laid over. */
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

let last: Seen | null = null;

function seenOf(state: AppState): Seen {
  const inputs = inputsOf(state);
  if (last !== null && sameList(Object.values(last.inputs), Object.values(inputs))) return last;
  const isNext = last !== null && last.inputs.view === inputs.view;
  last = isNext && last !== null ? after(last, inputs) : fromScratch(inputs, last?.ids ?? []);
  return last;
}

/** Where it stands in the list: by these, one after the other. */
interface Placed {
  readonly shown: Conversation;
  readonly at: number;
}

function placed(shown: Conversation, { lastMessages }: Inputs): Placed {
  return { shown, at: activeAt(shown, lastMessages) };
}

/** For one of which the server names no activity, what is newest of what we know decides. */
export const activeAt = (shown: Conversation, lastMessages: ReadonlyMap<ConversationId, Message>): Millis =>
  shown.lastActiveAt ?? lastMessages.get(shown.id)?.createdAt ?? shown.createdAt ?? 0;

function compare(a: Placed, b: Placed): number {
  const byRank = Number(b.shown.isPinned) - Number(a.shown.isPinned) || b.at - a.at;
  // The disk lists them so as well, and what stands side by side stays so from one start to the next.
  return byRank || (a.shown.id < b.shown.id ? -1 : Number(a.shown.id > b.shown.id));
}

function fromScratch(inputs: Inputs, before: Ids): Seen {
  const entries: Placed[] = [];
  for (const conversation of inputs.conversations.values()) {
    const shown = visible(conversation, inputs);
    if (shown !== null) entries.push(placed(shown, inputs));
  }
  const shown = entries.sort(compare).map((entry) => entry.shown);
  const ids = shown.map(({ id }) => id);
  return { inputs, shown, ids: sameList(ids, before) ? before : ids };
}

/** null: not in this view, or to be deleted. */
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

/** So many changes at once are sorted anew. */
const manyShare = 4;

function after(before: Seen, inputs: Inputs): Seen {
  const changed = touched(before.inputs, inputs);
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

/** Those that anything may have changed for. */
function touched(before: Inputs, now: Inputs): ReadonlySet<ConversationId> {
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
  { inputs: old, shown }: Seen,
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

/** So many names are compared within a key; a longer list is looked through in slices, see `list-search.ts`. */
export const namesAtOnce = 500;

/** Without the filter. */
export const selectWholeOrder = (state: AppState): Ids => seenOf(state).ids;

const atOnce = memoLast((shown: readonly Conversation[]) => shown.slice(0, namesAtOnce));

function foundIn({ search, filter }: AppState['view']['list']): Ids | null {
  if (search === undefined || search === null || search.filter !== filter) return null;
  return search.previousMatches ?? search.matches;
}

/** The words that all stand somewhere in a name that matches. */
export const wordsOf = (filter: string): readonly string[] => filter.trim().toLowerCase().split(/\s+/);

export function isNamed(state: AppState, conversation: Conversation, words: readonly string[]): boolean {
  const name = conversationName(state, conversation).toLowerCase();
  return words.every((word) => name.includes(word));
}

/** Of those looked through at once. */
const named = memoBy(
  (state: AppState) => [atOnce(seenOf(state).shown), state.view.list.filter, state.cache.contacts, state.local.names],
  (state): Ids => {
    const words = wordsOf(state.view.list.filter);
    const among = atOnce(seenOf(state).shown);
    return among.filter((conversation) => isNamed(state, conversation, words)).map(({ id }) => id);
  },
);

interface Thawed {
  readonly ids: Ids;
  readonly order: Ids;
  readonly shown: Ids;
  /** Of the frozen order what is still there, where it stood. */
  readonly kept: Ids;
  /** Stood in the frozen order and left since; it has its place again when it comes back. */
  readonly gone: ReadonlySet<ConversationId>;
  readonly newcomers: ReadonlySet<ConversationId>;
}

let lastThawed: Thawed | null = null;

/** What is shown stays where it stands, what has gone leaves, and newcomers come last, in the order of the list. */
function frozen(ids: Ids, order: Ids | null): Ids {
  if (order === null || order === ids) return ids;
  const held = lastThawed;
  const isHeld = held !== null && (held.order === order || held.shown === order);
  if (isHeld && held.ids === ids && held.order === order) return held.shown;
  lastThawed = (isHeld ? thawedOn(held, ids, order) : null) ?? thawed(ids, order);
  return lastThawed.shown;
}

function thawed(ids: Ids, order: Ids): Thawed {
  const { lost, gained } = differenceOf(order, ids);
  return joined({ ids, order, kept: without(order, lost), gone: lost, newcomers: new Set(gained) });
}

/** null: something is back that had gone. */
function thawedOn(held: Thawed, ids: Ids, order: Ids): Thawed | null {
  const { lost, gained } = differenceOf(held.ids, ids);
  const isSame = held.order === order;
  const gone = isSame ? held.gone : new Set<ConversationId>();
  if (gained.some((id) => gone.has(id))) return null;
  const newcomers = new Set(isSame ? held.newcomers : []);
  for (const id of lost) newcomers.delete(id);
  for (const id of gained) newcomers.add(id);
  const kept = without(isSame ? held.kept : order, lost);
  return joined({ ids, order, kept, gone: new Set([...gone, ...lost]), newcomers });
}

const without = (ids: Ids, lost: ReadonlySet<ConversationId>): Ids =>
  lost.size === 0 ? ids : ids.filter((id) => !lost.has(id));

function joined(parts: Omit<Thawed, 'shown'>): Thawed {
  const { ids, kept, newcomers } = parts;
  const shown = newcomers.size === 0 ? kept : [...kept, ...ids.filter((id) => newcomers.has(id))];
  return { ...parts, shown: sameList(shown, ids) ? ids : shown };
}
