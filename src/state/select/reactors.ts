/** Who reacted: the server lists ids or user names, which are looked up in the contact book. */
import type { Contact, ContactId, Reaction } from '../../protocol/types.ts';
import { sanitizeName } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { memoLast } from '../collections/memo.ts';
import type { AppState } from '../model/app-state.ts';
import { selectContactName } from './names.ts';

const mostNames = 200;

/** `You, Ann and 2 more`: the people that the server names, then the number of those that it only counts. */
export function reactorNames(state: AppState, reaction: Reaction, mine: readonly string[]): SafeText {
  const { by, unnamed = 0, repeats = 0 } = reaction;
  const isMine = (one: string): boolean => one === '' || mine.includes(one);
  const others = by.filter((one) => !isMine(one));
  const named = others.slice(0, mostNames).map((one) => nameOf(state, one));
  const names = by.some(isMine) ? [literal('You'), ...named] : named;
  const more = unnamed + repeats + others.length - named.length;
  const listed = names.reduce((text, name) => (text === '' ? name : safe`${text}, ${name}`), literal(''));
  if (more === 0) return listed;
  return listed === '' ? safe`${more} not named by the server` : safe`${listed} and ${more} more`;
}

function nameOf(state: AppState, one: string): SafeText {
  const { contacts } = state.cache;
  const id = contacts.has(one) ? one : byUsername(contacts).get(one);
  return id === undefined ? sanitizeName(one) : selectContactName(state, id, null);
}

const byUsername = memoLast((contacts: ReadonlyMap<ContactId, Contact>): ReadonlyMap<string, ContactId> => {
  const ids = new Map<string, ContactId>();
  for (const { id, username } of contacts.values()) if (username !== null) ids.set(username, id);
  return ids;
});
