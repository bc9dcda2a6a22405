/** Looks through all names for what was typed, a part at a time: the likely ones within the key, the others between keys. */
import type { Conversation } from '../protocol/types.ts';
import { contactRow, conversationRow, type Sought, soughtBy, sourcesOf, withRow } from './go-to-row.ts';
import { namesAtOnce, selectWholeOrder } from './list-order.ts';
import type { GoToRow, Looked } from './looked.ts';
import { partOf } from './sharded-map.ts';
import type { AppState } from './state.ts';

/** Names of one part. */
const partNames = 100;

/** A look under way. */
export interface Look extends Looked {
  /** As all was when it began, also where it has changed meanwhile: `isLookDue` tells that it has to begin again. */
  readonly state: AppState;
  readonly at: { readonly phase: 'conversations' | 'contacts'; readonly from: number };
}

/** What is found at once; `before`: rows that stood there, which come first into question. */
export function beginLook(state: AppState, query: string, before: readonly GoToRow[] = []): Look {
  const sought = soughtBy(query);
  const { conversations, contacts } = state.cache;
  const begun: Look = {
    state,
    query,
    sources: sourcesOf(state),
    rows: likelyRows(state, sought, before),
    count: 0,
    isDone: sought.reach === 'commands',
    at: { phase: 'conversations', from: 0 },
  };
  const names = conversations.size + (sought.reach === 'people' ? contacts.size : 0);
  let look = begun;
  if (names <= namesAtOnce) while (!look.isDone) look = lookOn(look);
  return look;
}

/** Of what stood there, of where one has been and of the top of the list. */
function likelyRows(state: AppState, sought: Sought, before: readonly GoToRow[]): readonly GoToRow[] {
  if (sought.reach === 'commands') return [];
  const ids = new Set([
    ...before.flatMap(({ conversationId }) => (conversationId === null ? [] : [conversationId])),
    ...(state.view.visited ?? []),
    ...selectWholeOrder(state).slice(0, namesAtOnce),
  ]);
  let rows: readonly GoToRow[] = [];
  for (const id of ids) {
    const conversation = state.cache.conversations.get(id);
    if (conversation !== undefined) rows = withSought(rows, conversationRow(state, conversation, sought));
  }
  return rows;
}

const withSought = (rows: readonly GoToRow[], row: GoToRow | null): readonly GoToRow[] =>
  row === null ? rows : withRow(rows, row);

/** One part more; the same look when it is done. */
export function lookOn(look: Look): Look {
  if (look.isDone) return look;
  return look.at.phase === 'conversations' ? inConversations(look) : inContacts(look);
}

function inConversations(look: Look): Look {
  const { state, at } = look;
  const sought = soughtBy(look.query);
  const { values, next } = partOf(state.cache.conversations, at.from, partNames);
  let { rows, count } = look;
  for (const conversation of values) {
    const row = conversationRow(state, conversation, sought);
    rows = withSought(rows, row);
    if (row !== null && !isCountedLater(state, conversation, sought)) count += 1;
  }
  if (next !== null) return { ...look, rows, count, at: { phase: 'conversations', from: next } };
  return { ...look, rows, count, at: { phase: 'contacts', from: 0 }, isDone: sought.reach !== 'people' };
}

/** Who is in the contact book is counted there. */
const isCountedLater = (state: AppState, { contactId }: Conversation, { reach }: Sought): boolean =>
  reach === 'people' && contactId !== null && state.cache.contacts.has(contactId);

function inContacts(look: Look): Look {
  const { state, at } = look;
  const sought = soughtBy(look.query);
  const { values, next } = partOf(state.cache.contacts, at.from, partNames);
  let { rows, count } = look;
  for (const contact of values) {
    const row = contactRow(state, contact, sought);
    rows = withSought(rows, row);
    if (row !== null) count += 1;
  }
  return { ...look, rows, count, at: { phase: 'contacts', from: next ?? 0 }, isDone: next === null };
}
