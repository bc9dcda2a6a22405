/** Finds the person whom a user means by an id, the beginning of one, `@username`, a name or a phone number. */
import type { Contact } from '../../protocol/types.ts';
import { textAbout } from '../../state/local/own-names.ts';
import type { AppState } from '../../state/model/app-state.ts';
import { selectContactName } from '../../state/select/names.ts';
import { firstMatch, foldedName, isPrefixOf, type Match, normalName, shownName } from './match.ts';

/** Applies the rules in the order of `matchConversation`; finds only people in the contact book. */
export function matchPerson(state: AppState, typed: string): Match<Contact> {
  const wanted = normalName(typed);
  const folded = foldedName(typed);
  const names = (contact: Contact): readonly string[] =>
    [
      textAbout(state.local.names, 'contact', contact.id),
      contact.username,
      contact.phoneNumber,
      selectContactName(state, contact.id, contact),
    ].flatMap((name) => (name === undefined || name === null || name === '' ? [] : [normalName(name)]));
  const isUsername = wanted.length > 1 && wanted.startsWith('@');
  const rules = [
    ({ id }: Contact) => id === typed,
    ({ username }: Contact) => isUsername && username === wanted.slice(1),
    ({ username }: Contact) => isUsername && foldedName(username ?? '') === folded.slice(1),
    ({ username }: Contact) => isUsername && shownName(username ?? '') === folded.slice(1),
    (contact: Contact) => names(contact).some((name) => name === wanted),
    (contact: Contact) => names(contact).some((name) => foldedName(name) === folded),
    ({ id }: Contact) => isPrefixOf(typed, id),
  ];
  return firstMatch([...state.cache.contacts.values()], wanted === '' ? [] : rules);
}
