/** Folded names (lower case, no accents) for searches, kept because folding takes ten times as long as comparing. */
import type { ContactId, Conversation, GroupId } from '../../protocol/types.ts';
import { fold } from '../../text/search/find.ts';
import { matchLevel, type NameQuery } from '../../text/search/match.ts';
import { eachChange } from '../collections/sharded-map.ts';
import { idOfKey } from '../local/own-names.ts';
import type { AppState } from '../model/app-state.ts';
import { conversationName, selectContactName, usernameBehindName } from '../select/names.ts';

/** The parts of the state that names are made from. */
type NameSources = Pick<AppState['cache'], 'contacts'> & Pick<AppState['local'], 'names'>;

const noSources: NameSources = { contacts: new Map(), names: new Map() };
let foldedFrom = noSources;
/** Kept apart, as a contact and a group may have the same id. */
const foldedContacts = new Map<ContactId, string>();
const foldedGroups = new Map<GroupId, string>();

export function foldedConversationName(state: AppState, conversation: Conversation): string {
  const { contactId, groupId } = conversation;
  if (contactId !== null) return foldedContactName(state, contactId);
  const nameNow = (): string => conversationName(state, conversation);
  return groupId === null ? fold(nameNow()) : folded(state, foldedGroups, groupId, nameNow);
}

export const foldedContactName = (state: AppState, id: ContactId): string =>
  folded(state, foldedContacts, id, () => selectContactName(state, id, null));

/** How well the shown name of a person matches, or the username behind it. */
export function personLevel(state: AppState, id: ContactId, wanted: NameQuery): number {
  const level = matchLevel(foldedContactName(state, id), wanted);
  const username = usernameBehindName(state, id);
  return username === null ? level : Math.max(level, matchLevel(fold(username), wanted));
}

/** How well a conversation matches, by the names of its person or group. */
export const conversationNameLevel = (state: AppState, conversation: Conversation, wanted: NameQuery): number =>
  conversation.contactId === null
    ? matchLevel(foldedConversationName(state, conversation), wanted)
    : personLevel(state, conversation.contactId, wanted);

function folded(
  { cache, local }: AppState,
  held: Map<ContactId | GroupId, string>,
  id: ContactId | GroupId,
  nameNow: () => string,
): string {
  if (foldedFrom.contacts !== cache.contacts || foldedFrom.names !== local.names)
    dropChanged(cache.contacts, local.names);
  const kept = held.get(id);
  if (kept !== undefined) return kept;
  const name = fold(nameNow());
  held.set(id, name);
  return name;
}

/** Drops the names that have changed since they were folded. */
function dropChanged(contacts: NameSources['contacts'], names: NameSources['names']): void {
  if (foldedContacts.size > 0) eachChange(foldedFrom.contacts, contacts, (id) => foldedContacts.delete(id));
  if (foldedContacts.size + foldedGroups.size > 0)
    eachChange(foldedFrom.names, names, (key) => {
      foldedContacts.delete(idOfKey(key));
      foldedGroups.delete(idOfKey(key));
    });
  foldedFrom = { contacts, names };
}
