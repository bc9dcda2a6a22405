/** Looks through all names for what was typed, a part at a time: the likely ones within the key, the others between keys. */
import type { Conversation } from '../../protocol/types.ts';
import { partOf } from '../collections/sharded-map.ts';
import type { AppState } from '../model/app-state.ts';
import type { GoToRow, Looked } from '../model/search-result.ts';
import { namesAtOnce, selectWholeOrder } from '../select/list-order.ts';
import { withPending } from '../select/selectors.ts';
import { partNames } from './incremental-search.ts';
import {
  contactRow,
  conversationLevel,
  conversationRow,
  placeInTime,
  type Query,
  qualifies,
  restingLevels,
  rowLimit,
  sourcesOf,
  withRow,
} from './switcher-row.ts';

/** Of a long list so many are looked at within the key: what is at its top is what most want. */
const likelyNames = 200;

/** A look under way. */
export interface Look extends Looked {
  readonly sought: Query;
  /** As all was when it began, also where it has changed meanwhile: `isLookDue` tells that it has to begin again. */
  readonly state: AppState;
  readonly at: { readonly phase: 'conversations' | 'contacts'; readonly from: number };
}

/** What is found at once; `before`: rows that stood there, which come first into question. */
export function beginLook(state: AppState, sought: Query, before: readonly GoToRow[] = []): Look {
  const { conversations, contacts } = state.cache;
  const rows = likelyRows(state, sought, before);
  const begun: Look = {
    state,
    sought,
    sources: sourcesOf(state),
    rows,
    count: 0,
    isDone: sought.reach === 'commands' || isTop(state, sought, rows),
    at: { phase: 'conversations', from: 0 },
  };
  const names = conversations.size + (hasContacts(sought) ? contacts.size : 0);
  let look = begun;
  if (names <= namesAtOnce) while (!look.isDone) look = lookOn(look);
  return look;
}

const hasContacts = ({ reach }: Query): boolean => reach === 'people' || reach === 'partners';

/** Of what stood there, of where one has been and of the top of the list. */
function likelyRows(state: AppState, sought: Query, before: readonly GoToRow[]): readonly GoToRow[] {
  if (sought.reach === 'commands') return [];
  const ids = new Set([
    ...before.flatMap(({ conversationId }) => (conversationId === null ? [] : [conversationId])),
    ...(state.view.visited ?? []),
    ...selectWholeOrder(state).slice(0, likelyNames),
  ]);
  const likely = [...ids].flatMap((id) => state.cache.conversations.get(id) ?? []);
  return withConversations(state, sought, { rows: [], count: 0 }, likely).rows;
}

/** Before anything is typed nothing further down can be better, unless there are unread ones among it. */
function isTop(state: AppState, { reach, text }: Query, rows: readonly GoToRow[]): boolean {
  if (reach !== 'conversations' || text !== '' || state.view.list.view !== 'all') return false;
  const { conversations, unread } = state.cache;
  if (rows.length < rowLimit || unread.size > rows.length) return false;
  // Behind all that are pinned, of which one may be older than any other.
  const other = selectWholeOrder(state)[likelyNames - rowLimit];
  const isPinned = other === undefined || conversations.get(other)?.isPinned !== false;
  return !isPinned && rows.filter(({ level }) => level === restingLevels.unread).length === unread.size;
}

type Gathered = Pick<Look, 'rows' | 'count'>;

function withConversations(
  state: AppState,
  sought: Query,
  { rows: before, count: counted }: Gathered,
  conversations: readonly Conversation[],
): Gathered {
  let rows = before;
  let count = counted;
  for (const held of conversations) {
    const conversation = withPending(state, held);
    const level = conversation === null ? 0 : conversationLevel(state, conversation, sought);
    if (conversation === null || level === 0) continue;
    if (!isCountedLater(state, conversation, sought)) count += 1;
    const at = placeInTime(state, conversation, sought);
    if (qualifies(rows, level, at)) rows = withRow(rows, conversationRow(state, conversation, sought, { level, at }));
  }
  return { rows, count };
}

/** Who is in the contact book is counted there. */
const isCountedLater = (state: AppState, { contactId }: Conversation, sought: Query): boolean =>
  hasContacts(sought) && contactId !== null && state.cache.contacts.has(contactId);

/** One part more; the same look when it is done. */
export function lookOn(look: Look): Look {
  if (look.isDone) return look;
  return look.at.phase === 'conversations' ? inConversations(look) : inContacts(look);
}

function inConversations(look: Look): Look {
  const { state, sought, at } = look;
  const { values, next } = partOf(state.cache.conversations, at.from, partNames);
  const gathered = withConversations(state, sought, look, values);
  if (next !== null) return { ...look, ...gathered, at: { phase: 'conversations', from: next } };
  return { ...look, ...gathered, at: { phase: 'contacts', from: 0 }, isDone: !hasContacts(sought) };
}

function inContacts(look: Look): Look {
  const { state, sought, at } = look;
  const { values, next } = partOf(state.cache.contacts, at.from, partNames);
  let { rows, count } = look;
  for (const contact of values) {
    const row = contactRow(state, contact, sought);
    if (row === null) continue;
    count += 1;
    rows = withRow(rows, row);
  }
  return { ...look, rows, count, at: { phase: 'contacts', from: next ?? 0 }, isDone: next === null };
}
