/**
 * Finds what the composer offers for a word: people for `@an`, emoji for `:smi`. People of the open conversation come
 * first, then everybody known. The likely ones are searched within the key press, a long contact book in parts after it.
 */
import type { ContactId, Millis } from '../../protocol/types.ts';
import { glyphOf, type NamedEmoji, nameOfGlyph, quickReactions, searchEmoji } from '../../text/emoji/emoji.ts';
import { sanitizeName } from '../../text/safe/sanitize.ts';
import { type NameQuery, nameQuery } from '../../text/search/match.ts';
import { sameValue } from '../collections/equal.ts';
import { sameList } from '../collections/memo.ts';
import { partsOf } from '../collections/sharded-map.ts';
import { usedReactions } from '../local/uses.ts';
import type { AppState, Completion, CompletionRow } from '../model/app-state.ts';
import type { PeopleSources } from '../model/completion.ts';
import { namesAtOnce, selectWholeOrder } from '../select/listed-conversations.ts';
import { selectContactName } from '../select/names.ts';
import { completionHere, patchCompletion } from '../view/composer.ts';
import { personLevel } from './folded-names.ts';
import { type IncrementalSearch, inSteps, namesPerPart } from './incremental-search.ts';

const peopleLimit = 6;

/** Messages and conversations that are searched within the key press. */
const recentMessages = 300;
const likelyConversations = 200;

/** From here on a match is one at the beginning of a word; letters in the middle of names would be noise. */
const leastLevel = 4;

interface Person {
  readonly id: ContactId;
  readonly username: string;
  /** The first by which they differ decides: in this conversation, how well the name matches, when last active. */
  readonly isHere: boolean;
  readonly level: number;
  readonly at: Millis;
}

export interface PeopleFound {
  readonly typed: string;
  readonly rows: readonly CompletionRow[];
  readonly isDone: boolean;
  readonly sources: PeopleSources;
}

const sourcesOf = ({ cache, local, view }: AppState): PeopleSources => ({
  contacts: cache.contacts,
  conversations: cache.conversations,
  names: local.names,
  messages: view.openId === null ? undefined : cache.threads.get(view.openId)?.messages,
});

/** The people that can be found within the key press. */
export function likelyPeople(state: AppState, typed: string): PeopleFound {
  const parts = searchPeople(state, typed);
  let part = parts.next();
  if (state.cache.contacts.size <= namesAtOnce) while (part.done !== true) part = parts.next();
  return part.value;
}

/** Yields the best people after each part. After a bare `@` only the likely ones are offered. */
export function* searchPeople(state: AppState, typed: string): Generator<PeopleFound, PeopleFound> {
  const wanted = nameQuery(typed.slice(1));
  const sources = sourcesOf(state);
  const found = (best: readonly Person[], isDone: boolean): PeopleFound => ({
    typed,
    sources,
    rows: best.map((person) => rowOf(state, person)),
    isDone,
  });
  let best: readonly Person[] = [];
  for (const id of peopleHere(state)) best = withPerson(best, personOf(state, id, wanted, { isHere: true, at: 0 }));
  for (const id of selectWholeOrder(state).slice(0, likelyConversations)) {
    const { contactId = null, lastActiveAt = null } = state.cache.conversations.get(id) ?? {};
    if (contactId === null) continue;
    best = withPerson(best, personOf(state, contactId, wanted, { isHere: false, at: lastActiveAt ?? 0 }));
  }
  if (wanted.text === '') return found(best, true);
  yield found(best, false);
  for (const part of partsOf(state.cache.contacts, namesPerPart)) {
    for (const { id } of part) best = withPerson(best, personOf(state, id, wanted, { isHere: false, at: 0 }));
    yield found(best, false);
  }
  return found(best, true);
}

/** The people of the open conversation, as far as they are known: the service lists the members of no group. */
function peopleHere(state: AppState): ReadonlySet<ContactId> {
  const people = new Set<ContactId>();
  const { openId } = state.view;
  if (openId === null) return people;
  const contactId = state.cache.conversations.get(openId)?.contactId ?? null;
  if (contactId !== null) people.add(contactId);
  const messages = state.cache.threads.get(openId)?.messages ?? [];
  for (let at = messages.length - 1; at >= Math.max(0, messages.length - recentMessages); at--) {
    const id = messages[at]?.contact?.id;
    if (id !== undefined) people.add(id);
  }
  return people;
}

function personOf(
  state: AppState,
  id: ContactId,
  wanted: NameQuery,
  rank: Pick<Person, 'isHere' | 'at'>,
): Person | null {
  if (id === state.local.me?.contactId) return null;
  const username = state.cache.contacts.get(id)?.username?.trim() ?? '';
  if (username === '') return null;
  const level = wanted.text === '' ? leastLevel : personLevel(state, id, wanted);
  return level < leastLevel ? null : { id, username, level, ...rank };
}

function withPerson(best: readonly Person[], person: Person | null): readonly Person[] {
  if (person === null || best.some(({ id }) => id === person.id)) return best;
  const at = best.findIndex((other) => compare(person, other) < 0);
  if (at < 0 && best.length >= peopleLimit) return best;
  return best.toSpliced(at < 0 ? best.length : at, 0, person).slice(0, peopleLimit);
}

const compare = (a: Person, b: Person): number =>
  Number(b.isHere) - Number(a.isHere) || b.level - a.level || b.at - a.at;

/**
 * The service knows no mentions: the username is put into the text, which means the same to everybody. Somebody whose
 * username is not known is not offered, as the name that the user gave is seen by nobody else.
 */
function rowOf(state: AppState, { id, username }: Person): CompletionRow {
  const name: string = selectContactName(state, id, null);
  const label: string = sanitizeName(username);
  return { text: `@${label} `, label: `@${label}`, note: name === label ? '' : name };
}

/** The key of a completion whose search goes on, or whose names have changed since; null where a row was chosen. */
function searchKey(state: AppState, held: Completion | null): string | null {
  if (held === null || held.kind !== 'person' || held.selected !== null) return null;
  const isComplete = held.isDone && sameList(Object.values(held.sources ?? {}), Object.values(sourcesOf(state)));
  return isComplete ? null : `${held.conversationId} ${held.start} ${held.typed}`;
}

export const peopleSearch: IncrementalSearch<PeopleFound> = {
  wanted: (state) => searchKey(state, completionHere(state)),
  async *results(state, clock) {
    const held = completionHere(state);
    if (held !== null) yield* inSteps(searchPeople(state, held.typed), clock);
  },
  /** A complete result stays until the next one is complete too. */
  publish: (found) => (state) => {
    const held = completionHere(state);
    if (held === null || searchKey(state, held) === null || held.typed !== found.typed) return state;
    if (held.isDone && !found.isDone) return state;
    const { rows, isDone, sources } = found;
    return patchCompletion({ rows: sameValue(held.rows, rows) ? held.rows : rows, isDone, sources })(state);
  },
};

const mostEmoji = 12;

/** The emoji that the composer offers for `:smi`; for a colon alone those that the user has given, then the quick ones. */
export const emojiRows = (state: AppState, typed: string): readonly CompletionRow[] =>
  (typed === ':' ? likelyEmoji(state) : searchEmoji(typed.slice(1), mostEmoji)).map(({ name, glyph }) => ({
    text: glyph,
    label: `${glyph} :${name}:`,
    note: '',
  }));

function likelyEmoji({ local }: AppState): readonly NamedEmoji[] {
  const names = [...usedReactions(local.reactionUses), ...quickReactions];
  const found = new Map<string, NamedEmoji>();
  for (const name of names) {
    const glyph = glyphOf(name);
    if (glyph !== null && !found.has(glyph)) found.set(glyph, { name: nameOfGlyph(glyph) ?? name, glyph });
  }
  return [...found.values()].slice(0, mostEmoji);
}
