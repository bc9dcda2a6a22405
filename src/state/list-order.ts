/** Which conversations the list shows, and in which order. */
import type { Contact, Conversation, ConversationId, Message } from '../protocol/types.ts';
import { memoLast, sameList } from './memo.ts';
import { conversationName } from './names.ts';
import { shownConversation } from './outbox.ts';
import type { AppState, ListView, Op } from './state.ts';

type Ids = readonly ConversationId[];
type Conversations = ReadonlyMap<ConversationId, Conversation>;
type LastMessages = ReadonlyMap<ConversationId, Message>;

/**
 * Pinned first, then by last activity, newest first; the view and the filter applied. A frozen order holds for those
 * in it and newcomers come last. The same array while nothing that it depends on changed.
 */
export function selectListOrder(state: AppState): Ids {
  const { view, filter, frozenOrder } = state.view.list;
  const seen = inView(liveOrder(state), view, state);
  return frozen(matching(seen, filter, state), frozenOrder);
}

function liveOrder(state: AppState): readonly Conversation[] {
  const { conversations, lastMessages } = state.cache;
  return sorted(conversations, listOps(state.local.outbox), silentTimes(conversations, lastMessages));
}

const noOps: readonly Op[] = [];
let lastListOps = noOps;

/** The ops that change what the list shows; a message on its way changes nothing here. */
const listOps = memoLast((outbox: readonly Op[]): readonly Op[] => {
  const found = outbox.filter(({ action }) => action.kind.startsWith('conversation.'));
  if (!sameList(found, lastListOps)) lastListOps = found;
  return lastListOps;
});

type Times = readonly (number | null)[];

/** Conversations for which the server names no activity: what is newest of what we know decides. */
const silent = memoLast((conversations: Conversations): readonly Conversation[] =>
  [...conversations.values()].filter((conversation) => conversation.lastActiveAt === null),
);

let lastTimes: Times = [];

/** Times of the newest messages of the silent ones: all that a new message can change in the order by itself. */
const silentTimes = memoLast((conversations: Conversations, last: LastMessages): Times => {
  const times = silent(conversations).map(({ id }) => last.get(id)?.createdAt ?? null);
  if (!sameList(times, lastTimes)) lastTimes = times;
  return lastTimes;
});

const sorted = memoLast((conversations: Conversations, ops: readonly Op[], times: Times): readonly Conversation[] => {
  const known = new Map(silent(conversations).map(({ id }, i) => [id, times[i] ?? null]));
  const entries: { readonly shown: Conversation; readonly at: number }[] = [];
  for (const conversation of conversations.values()) {
    const shown = ops.length === 0 ? conversation : shownConversation(conversation, ops);
    if (shown === null) continue;
    const at = shown.lastActiveAt ?? known.get(shown.id) ?? shown.createdAt ?? 0;
    entries.push({ shown, at });
  }
  entries.sort((a, b) => Number(b.shown.isPinned) - Number(a.shown.isPinned) || b.at - a.at);
  return entries.map((entry) => entry.shown);
});

const none: ReadonlyMap<ConversationId, number> = new Map();

function inView(all: readonly Conversation[], view: ListView, state: AppState): readonly Conversation[] {
  const isUnread = view === 'unread';
  return viewed(all, view, isUnread ? state.cache.unread : none, isUnread ? state.view.openId : null);
}

/** The open conversation stays in the view of unread ones while it is being read. */
const viewed = memoLast(
  (
    all: readonly Conversation[],
    view: ListView,
    unread: ReadonlyMap<ConversationId, number>,
    openId: ConversationId | null,
  ): readonly Conversation[] =>
    all.filter((conversation) => {
      if (view === 'archived') return conversation.archivedAt !== null;
      if (conversation.archivedAt !== null) return false;
      if (view === 'all') return true;
      if (view === 'unread') return conversation.id === openId || (unread.get(conversation.id) ?? 0) > 0;
      if (view === 'pinned') return conversation.isPinned;
      if (view === 'muted') return conversation.isMuted;
      return conversation.groupId === view.groupId;
    }),
);

let lastIds: Ids = [];

/** The same array while the order is the same, whatever else changed in the conversations. */
const idsOf = memoLast((list: readonly Conversation[]): Ids => {
  const ids = list.map((conversation) => conversation.id);
  if (!sameList(ids, lastIds)) lastIds = ids;
  return lastIds;
});

function matching(list: readonly Conversation[], filter: string, state: AppState): Ids {
  const wanted = filter.trim().toLowerCase();
  if (wanted === '') return idsOf(list);
  return named(list, wanted, state.cache.contacts, state.local.names, state);
}

/** Every word of the filter stands somewhere in the name. `state` only lends the names and is not compared. */
function named(
  list: readonly Conversation[],
  wanted: string,
  contacts: ReadonlyMap<string, Contact>,
  names: ReadonlyMap<string, string>,
  state: AppState,
): Ids {
  const inputs = [list, wanted, contacts, names];
  if (lastNamed !== null && sameList(lastNamed.inputs, inputs)) return lastNamed.ids;
  const words = wanted.split(/\s+/);
  const ids = list
    .filter((conversation) => {
      const name = conversationName(state, conversation).toLowerCase();
      return words.every((word) => name.includes(word));
    })
    .map((conversation) => conversation.id);
  lastNamed = { inputs, ids };
  return ids;
}

let lastNamed: { readonly inputs: readonly unknown[]; readonly ids: Ids } | null = null;

const thawed = memoLast((ids: Ids, order: Ids): Ids => {
  const live = new Set(ids);
  const kept = order.filter((id) => live.delete(id));
  return live.size === 0 && sameList(kept, ids) ? ids : [...kept, ...live];
});

const frozen = (ids: Ids, order: Ids | null): Ids => (order === null ? ids : thawed(ids, order));
