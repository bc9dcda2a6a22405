/** Searches all names for a prompt: the likely ones within the key press, the others in parts after it. */
import type { Contact, Conversation } from '../../protocol/types.ts';
import { partsOf } from '../collections/sharded-map.ts';
import type { AppState } from '../model/app-state.ts';
import type { NameSearchResult, SwitcherRow } from '../model/search-results.ts';
import { namesAtOnce, selectWholeOrder } from '../select/listed-conversations.ts';
import { withPending } from '../select/selectors.ts';
import { namesPerPart } from './incremental-search.ts';
import {
  contactRow,
  conversationLevel,
  conversationRank,
  conversationRow,
  levelsBeforeTyping,
  type Query,
  qualifies,
  rowLimit,
  sourcesOf,
  withRow,
} from './switcher-row.ts';

/** This many conversations at the top are searched within the key press: most searches are for one of them. */
const likelyNames = 200;

/**
 * The names that can be found within the key press. A short list is searched completely.
 * @param before the rows shown until now, which are the likeliest to match again
 */
export function searchLikelyNames(
  state: AppState,
  query: Query,
  before: readonly SwitcherRow[] = [],
): NameSearchResult {
  const { conversations, contacts } = state.cache;
  const parts = searchNames(state, query, before);
  let part = parts.next();
  const names = conversations.size + (hasContacts(query) ? contacts.size : 0);
  if (names <= namesAtOnce) while (part.done !== true) part = parts.next();
  return part.value;
}

/** Yields what was found after each part: first among the likely names, then among all. */
export function* searchNames(
  state: AppState,
  query: Query,
  before: readonly SwitcherRow[],
): Generator<NameSearchResult, NameSearchResult> {
  const sources = sourcesOf(state);
  let matches: Matches = { rows: likelyRows(state, query, before), count: 0 };
  if (query.scope === 'commands' || isTop(state, query, matches.rows)) return { sources, ...matches, isDone: true };
  yield { sources, ...matches, isDone: false };
  for (const part of partsOf(state.cache.conversations, namesPerPart)) {
    matches = withConversations(state, query, matches, part);
    yield { sources, ...matches, isDone: false };
  }
  for (const part of hasContacts(query) ? partsOf(state.cache.contacts, namesPerPart) : []) {
    matches = withContacts(state, query, matches, part);
    yield { sources, ...matches, isDone: false };
  }
  return { sources, ...matches, isDone: true };
}

const hasContacts = ({ scope }: Query): boolean => scope === 'people' || scope === 'partners';

/** Matches among the rows shown until now, conversations that were visited or are opened often, and the top of the list. */
function likelyRows(state: AppState, query: Query, before: readonly SwitcherRow[]): readonly SwitcherRow[] {
  if (query.scope === 'commands') return [];
  const ids = new Set([
    ...before.flatMap(({ conversationId }) => (conversationId === null ? [] : [conversationId])),
    ...(state.view.visited ?? []),
    ...state.local.conversationUses.keys(),
    ...selectWholeOrder(state).slice(0, likelyNames),
  ]);
  const likely = [...ids].flatMap((id) => state.cache.conversations.get(id) ?? []);
  return withConversations(state, query, { rows: [], count: 0 }, likely).rows;
}

/** With an empty query the top of the list is the whole answer, unless there are unread conversations further down. */
function isTop(state: AppState, { scope, text }: Query, rows: readonly SwitcherRow[]): boolean {
  if (scope !== 'conversations' || text !== '' || state.view.list.view !== 'all') return false;
  const { conversations, unread } = state.cache;
  if (rows.length < rowLimit || unread.size > rows.length) return false;
  // One after all that are pinned, of which one may be older than any other.
  const other = selectWholeOrder(state)[likelyNames - rowLimit];
  const isPinned = other === undefined || conversations.get(other)?.isPinned !== false;
  return !isPinned && rows.filter(({ level }) => level === levelsBeforeTyping.unread).length === unread.size;
}

type Matches = Pick<NameSearchResult, 'rows' | 'count'>;

function withConversations(
  state: AppState,
  query: Query,
  { rows: before, count: counted }: Matches,
  conversations: readonly Conversation[],
): Matches {
  let rows = before;
  let count = counted;
  for (const held of conversations) {
    const conversation = withPending(state, held);
    const level = conversation === null ? 0 : conversationLevel(state, conversation, query);
    if (conversation === null || level === 0) continue;
    if (!isCountedLater(state, conversation, query)) count += 1;
    const rank = conversationRank(state, conversation, query, level);
    if (qualifies(rows, rank)) rows = withRow(rows, conversationRow(state, conversation, query, rank));
  }
  return { rows, count };
}

/** A conversation with a known contact is counted when the contacts are searched, so that nobody counts twice. */
const isCountedLater = (state: AppState, { contactId }: Conversation, query: Query): boolean =>
  hasContacts(query) && contactId !== null && state.cache.contacts.has(contactId);

function withContacts(state: AppState, query: Query, matches: Matches, contacts: readonly Contact[]): Matches {
  let { rows, count } = matches;
  for (const contact of contacts) {
    const row = contactRow(state, contact, query);
    if (row === null) continue;
    count += 1;
    rows = withRow(rows, row);
  }
  return { rows, count };
}
