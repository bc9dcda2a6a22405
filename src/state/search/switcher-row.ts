/** What the switcher (Ctrl-K) offers for a query: parses the query, makes and ranks rows, keeps the best of them. */
import type { Contact, Conversation, ConversationId } from '../../protocol/types.ts';
import { type NameQuery, nameQuery } from '../../text/search/match.ts';
import { memoLast } from '../collections/memo.ts';
import { conversationRanks } from '../local/uses.ts';
import type { AppState, NamePrompt } from '../model/app-state.ts';
import type { NameSources, SwitcherRow } from '../model/search-results.ts';
import { activeAt } from '../select/listed-conversations.ts';
import { conversationNameLevel, foldedContactName, foldedConversationName, personLevel } from './folded-names.ts';

/** `partners`: the people and groups that a conversation can be started with. */
export type SearchScope = 'conversations' | 'commands' | 'people' | 'groups' | 'partners';

/** A parsed query: the words to match, and what they are matched against. */
export interface Query extends NameQuery {
  readonly scope: SearchScope;
}

const scopesByPrefix: ReadonlyMap<string, SearchScope> = new Map([
  ['>', 'commands'],
  ['@', 'people'],
  ['#', 'groups'],
]);

/** In UTF-16 units. No name is longer, but a pasted text may be. */
export const queryLimit = 200;

/** A first character `>`, `@` or `#` chooses the scope; the rest is matched against names. */
export const parseQuery = memoLast((query: string): Query => {
  const typed = query.trimStart().slice(0, queryLimit);
  const scope = scopesByPrefix.get(typed.charAt(0));
  return { scope: scope ?? 'conversations', ...nameQuery(scope === undefined ? typed : typed.slice(1)) };
});

/** Makes the parser of a prompt that searches one scope, where no character means another one. */
const parserFor = (scope: SearchScope): ((query: string) => Query) =>
  memoLast((query: string) => ({ scope, ...nameQuery(query.trimStart().slice(0, queryLimit)) }));

const parsers: Readonly<Record<NamePrompt['kind'], (typed: string) => Query>> = {
  switcher: parseQuery,
  'new-conversation': parserFor('partners'),
  forward: parserFor('conversations'),
};

/** The parsed text of a prompt's field. */
export const queryOf = ({ kind, typed }: Pick<NamePrompt, 'kind' | 'typed'>): Query => parsers[kind](typed);

/** The parts of the state that rows are made from; the search is repeated when one of them has changed. */
export function sourcesOf({ cache, local }: AppState): NameSources {
  const { conversations, contacts, unread } = cache;
  return { conversations, contacts, unread, names: local.names, outbox: local.outbox };
}

/** The most rows that are kept, which are the best ones. */
export const rowLimit = 50;

/** Compares the kind as well: a contact and a group may have the same id, as servers number each kind from one. */
export const isSameRow = (a: SwitcherRow, b: SwitcherRow): boolean =>
  a.key === b.key && (a.contactId === null) === (b.contactId === null);

/** Inserts the row in its rank; the same array where it is not among the best `rowLimit`. */
export function withRow(rows: readonly SwitcherRow[], row: SwitcherRow): readonly SwitcherRow[] {
  const last = rows.at(-1);
  if (last !== undefined && rows.length >= rowLimit && compare(row, last) >= 0) return rows;
  const same = rows.findIndex((other) => isSameRow(other, row));
  if (same >= 0 && compare(row, rows[same] as SwitcherRow) >= 0) return rows;
  const others = same < 0 ? rows : rows.toSpliced(same, 1);
  const at = others.findIndex((other) => compare(row, other) < 0);
  return others.toSpliced(at < 0 ? others.length : at, 0, row).slice(0, rowLimit);
}

/** What rows are sorted by before their names. */
export type Rank = Pick<SwitcherRow, 'level' | 'used' | 'at'>;

/** Whether a row of this rank can be among the best. Asked first, so that most rows need not be made. */
export const qualifies = (rows: readonly SwitcherRow[], rank: Rank): boolean =>
  rows.length < rowLimit || compareRank(rank, rows[rowLimit - 1] as SwitcherRow) <= 0;

const compareRank = (a: Rank, b: Rank): number => b.level - a.level || b.used - a.used || b.at - a.at;

function compare(a: SwitcherRow, b: SwitcherRow): number {
  return compareRank(a, b) || compareText(a.name, b.name) || compareText(a.key, b.key);
}

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Subtracted from the level of archived conversations, so that they follow others that match equally well. */
const archivedPenalty = 0.5;

/** How well the conversation, as it is shown, matches; higher is better, 0: not at all. */
export function conversationLevel(state: AppState, conversation: Conversation, query: Query): number {
  if (!isInScope(state, conversation, query.scope)) return 0;
  const isAnything = query.text === '';
  if (query.scope === 'partners') return isAnything ? 1 : conversationNameLevel(state, conversation, query);
  const level = isAnything ? levelBeforeTyping(state, conversation) : conversationNameLevel(state, conversation, query);
  return level === 0 || conversation.archivedAt === null ? level : level - archivedPenalty;
}

/** @param level from `conversationLevel`; partners of the same level are sorted by name */
export const conversationRank = (state: AppState, conversation: Conversation, { scope }: Query, level: number): Rank =>
  scope === 'partners'
    ? { level, used: 0, at: 0 }
    : {
        level,
        used: conversationRanks(state).get(conversation.id) ?? 0,
        at: activeAt(conversation, state.cache.lastMessages),
      };

export function conversationRow(
  state: AppState,
  conversation: Conversation,
  { scope, text }: Query,
  rank: Rank,
): SwitcherRow {
  const { id, contactId, groupId } = conversation;
  const isPartner = scope === 'partners';
  const name = text === '' && !isPartner ? '' : foldedConversationName(state, conversation);
  const person = isPartner || scope === 'people' ? contactId : null;
  const key = person ?? (isPartner ? groupId : null) ?? id;
  return { key, conversationId: id, contactId: person, ...rank, name };
}

function isInScope(state: AppState, { contactId, groupId }: Conversation, scope: SearchScope): boolean {
  if (scope === 'people') return contactId !== null && contactId !== state.local.me?.contactId;
  return scope === 'conversations' || groupId !== null || (scope === 'partners' && contactId !== null);
}

/** The row of a contact seen in messages; null where it does not match. A conversation's row ranks higher. */
export function contactRow(state: AppState, { id }: Contact, query: Query): SwitcherRow | null {
  if (id === state.local.me?.contactId) return null;
  const name = foldedContactName(state, id);
  if (query.scope === 'partners') {
    const level = query.text === '' ? 1 : personLevel(state, id, query);
    return level === 0 ? null : { key: id, conversationId: null, contactId: id, level, used: 0, at: 0, name };
  }
  const level = query.text === '' ? levelsBeforeTyping.stranger : personLevel(state, id, query) - archivedPenalty;
  return level <= 0 ? null : { key: id, conversationId: null, contactId: id, level, used: 0, at: -1, name };
}

/**
 * Levels while nothing is typed: unread first, then those visited in this run, the last one first, then others, which are
 * sorted by how often and lately they were opened, and last the open one and archived ones.
 */
export const levelsBeforeTyping = { unread: 4, visited: 3, other: 2, open: 1, stranger: 0.25 } as const;

function levelBeforeTyping(state: AppState, { id, isMuted, archivedAt }: Conversation): number {
  const { openId, visited = [] } = state.view;
  if (id === openId || archivedAt !== null) return levelsBeforeTyping.open;
  if (!isMuted && (state.cache.unread.get(id) ?? 0) > 0) return levelsBeforeTyping.unread;
  const place = placesOf(visited).get(id);
  return place === undefined ? levelsBeforeTyping.other : levelsBeforeTyping.visited - place / (visited.length + 1);
}

const placesOf = memoLast((ids: readonly ConversationId[]) => new Map(ids.map((id, place) => [id, place] as const)));
