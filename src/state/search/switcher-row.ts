/** What "go to" offers for what was typed: each row with what it is sorted by, and the best of them. */
import type { Contact, Conversation, ConversationId, Millis } from '../../protocol/types.ts';
import { fold } from '../../text/search/find.ts';
import { matchLevel, type Wanted, wantedOf } from '../../text/search/match.ts';
import { memoLast } from '../collections/memo.ts';
import type { AppState, LookingUp } from '../model/app-state.ts';
import type { GoToRow, Sources } from '../model/search-result.ts';
import { activeAt } from '../select/list-order.ts';
import { foldedContactName, foldedName } from './folded-names.ts';

/** `partners`: people and groups, for a conversation with one of them. */
export type Reach = 'conversations' | 'commands' | 'people' | 'groups' | 'partners';

/** What is to be found, and among what. */
export interface Query extends Wanted {
  readonly reach: Reach;
}

const reaches: ReadonlyMap<string, Reach> = new Map([
  ['>', 'commands'],
  ['@', 'people'],
  ['#', 'groups'],
]);

/** A name has no more; a paste may. */
const longestQuery = 200;

/** The first sign of the query tells among what, and the rest is a part of the name. */
export const parseQuery = memoLast((query: string): Query => {
  const typed = query.trimStart().slice(0, longestQuery);
  const reach = reaches.get(typed.charAt(0));
  return { reach: reach ?? 'conversations', ...wantedOf(reach === undefined ? typed : typed.slice(1)) };
});

const partnersBy = memoLast(
  (query: string): Query => ({ reach: 'partners', ...wantedOf(query.trimStart().slice(0, longestQuery)) }),
);

/** What is to be found in the overlay. */
export const soughtIn = ({ kind, query }: Pick<LookingUp, 'kind' | 'query'>): Query =>
  (kind === 'go-to' ? parseQuery : partnersBy)(query);

export const isSameSought = (a: Query, b: Query): boolean => a.reach === b.reach && a.text === b.text;

export function sourcesOf({ cache, local }: AppState): Sources {
  const { conversations, contacts, unread } = cache;
  return { conversations, contacts, unread, names: local.names, outbox: local.outbox };
}

export const rowLimit = 50;

/** A contact and a group may have the same id: servers number each kind from one. */
export const isSameRow = (a: GoToRow, b: GoToRow): boolean =>
  a.key === b.key && (a.contactId === null) === (b.contactId === null);

/** With the row in its place among the best ones; the same list where it is not one of them. */
export function withRow(rows: readonly GoToRow[], row: GoToRow): readonly GoToRow[] {
  const last = rows.at(-1);
  if (last !== undefined && rows.length >= rowLimit && compare(row, last) >= 0) return rows;
  const same = rows.findIndex((other) => isSameRow(other, row));
  if (same >= 0 && compare(row, rows[same] as GoToRow) >= 0) return rows;
  const others = same < 0 ? rows : rows.toSpliced(same, 1);
  const at = others.findIndex((other) => compare(row, other) < 0);
  return others.toSpliced(at < 0 ? others.length : at, 0, row).slice(0, rowLimit);
}

/** What of this level and time may be one of the best; of most it tells that they are not, and no row is made. */
export function qualifies(rows: readonly GoToRow[], level: number, at: Millis): boolean {
  if (rows.length < rowLimit) return true;
  const last = rows[rowLimit - 1] as GoToRow;
  return level > last.level || (level === last.level && at >= last.at);
}

function compare(a: GoToRow, b: GoToRow): number {
  const byRank = b.level - a.level || b.at - a.at;
  return byRank || compareText(a.name, b.name) || compareText(a.key, b.key);
}

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Archived ones stand behind those that fit as well. */
const archivedLevel = 0.5;

/** How well it fits; 0: it is not sought. `conversation`: as it is shown. */
export function conversationLevel(state: AppState, conversation: Conversation, sought: Query): number {
  if (!isAmong(state, conversation, sought.reach)) return 0;
  const isAnything = sought.text === '';
  if (sought.reach === 'partners') return isAnything ? 1 : matchLevel(foldedName(state, conversation), sought);
  const level = isAnything ? restingLevel(state, conversation) : matchLevel(foldedName(state, conversation), sought);
  return level === 0 || conversation.archivedAt === null ? level : level - archivedLevel;
}

/** By what those that fit as well are sorted; partners by their names alone. */
export const placeInTime = (state: AppState, conversation: Conversation, { reach }: Query): Millis =>
  reach === 'partners' ? 0 : activeAt(conversation, state.cache.lastMessages);

/** `level`, `at`: what has been found out of it. */
export function conversationRow(
  state: AppState,
  conversation: Conversation,
  { reach, text }: Query,
  { level, at }: Pick<GoToRow, 'level' | 'at'>,
): GoToRow {
  const { id, contactId, groupId } = conversation;
  const isPartner = reach === 'partners';
  const name = text === '' && !isPartner ? '' : foldedName(state, conversation);
  const person = isPartner || reach === 'people' ? contactId : null;
  const key = person ?? (isPartner ? groupId : null) ?? id;
  return { key, conversationId: id, contactId: person, level, at, name };
}

function isAmong(state: AppState, { contactId, groupId }: Conversation, reach: Reach): boolean {
  if (reach === 'people') return contactId !== null && contactId !== state.local.me?.contactId;
  return reach === 'conversations' || groupId !== null || (reach === 'partners' && contactId !== null);
}

/** Someone met in messages. Where there is a conversation as well, its row stands before this one. */
export function contactRow(state: AppState, { id }: Contact, sought: Query): GoToRow | null {
  if (id === state.local.me?.contactId) return null;
  const name = foldedContactName(state, id);
  if (sought.reach === 'partners') {
    const level = sought.text === '' ? 1 : matchLevel(name, sought);
    return level === 0 ? null : { key: id, conversationId: null, contactId: id, level, at: 0, name };
  }
  const level = sought.text === '' ? restingLevels.stranger : matchLevel(name, sought) - archivedLevel;
  return level <= 0 ? null : { key: id, conversationId: null, contactId: id, level, at: -1, name };
}

/** Before anything is typed: what waits to be read, where one has just been, the others, and where one is. */
export const restingLevels = { unread: 4, visited: 3, other: 2, open: 1, stranger: 0.25 } as const;

function restingLevel(state: AppState, { id, isMuted, archivedAt }: Conversation): number {
  const { openId, visited = [] } = state.view;
  if (id === openId || archivedAt !== null) return restingLevels.open;
  if (!isMuted && (state.cache.unread.get(id) ?? 0) > 0) return restingLevels.unread;
  const place = placesOf(visited).get(id);
  return place === undefined ? restingLevels.other : restingLevels.visited - place / (visited.length + 1);
}

const placesOf = memoLast((ids: readonly ConversationId[]) => new Map(ids.map((id, place) => [id, place] as const)));

/** How well the title of a command matches; anything does where nothing was typed. */
export const rankTitle = (title: string, sought: Query): number =>
  sought.text === '' ? 1 : matchLevel(fold(title), sought);
