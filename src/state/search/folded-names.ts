/** Folded names (lower case, no accents) for searches, kept because folding takes ten times as long as comparing. */
import type { ContactId, Conversation, GroupId } from '../../protocol/types.ts';
import { fold } from '../../text/search/find.ts';
import { matchLevel, type Wanted } from '../../text/search/match.ts';
import { eachChange } from '../collections/sharded-map.ts';
import type { AppState } from '../model/app-state.ts';
import { conversationName, selectContactName, usernameBehindName } from '../select/names.ts';

/** The parts of the state that names are made from. */
type NameSources = Pick<AppState['cache'], 'contacts'> & Pick<AppState['local'], 'names'>;

const noSources: NameSources = { contacts: new Map(), names: new Map() };
let foldedFrom = noSources;
const foldedById = new Map<ContactId | GroupId, string>();

export function foldedName(state: AppState, conversation: Conversation): string {
  const id = conversation.contactId ?? conversation.groupId ?? conversation.id;
  return cached(state, id) ?? add(id, conversationName(state, conversation));
}

export const foldedContactName = (state: AppState, id: ContactId): string =>
  cached(state, id) ?? add(id, selectContactName(state, id, null));

/** How well the shown name of a person matches, or the username behind it. */
export function personLevel(state: AppState, id: ContactId, wanted: Wanted): number {
  const level = matchLevel(foldedContactName(state, id), wanted);
  const username = usernameBehindName(state, id);
  return username === null ? level : Math.max(level, matchLevel(fold(username), wanted));
}

/** How well a conversation matches, by the names of its person or group. */
export const conversationNameLevel = (state: AppState, conversation: Conversation, wanted: Wanted): number =>
  conversation.contactId === null
    ? matchLevel(foldedName(state, conversation), wanted)
    : personLevel(state, conversation.contactId, wanted);

function cached({ cache, local }: AppState, id: ContactId | GroupId): string | undefined {
  if (foldedFrom.contacts !== cache.contacts || foldedFrom.names !== local.names)
    dropChanged(cache.contacts, local.names);
  return foldedById.get(id);
}

function add(id: ContactId | GroupId, name: string): string {
  const folded = fold(name);
  foldedById.set(id, folded);
  return folded;
}

/** Drops the names that have changed since they were folded. */
function dropChanged(contacts: NameSources['contacts'], names: NameSources['names']): void {
  if (foldedById.size > 0) {
    eachChange(foldedFrom.contacts, contacts, (id) => foldedById.delete(id));
    eachChange(foldedFrom.names, names, (id) => foldedById.delete(id));
  }
  foldedFrom = { contacts, names };
}
