/** Names as a search compares them, kept from one key to the next: to make one takes ten times as long as to compare it. */
import type { ContactId, Conversation, GroupId } from '../../protocol/types.ts';
import { fold } from '../../text/search/find.ts';
import { eachChange } from '../collections/sharded-map.ts';
import type { AppState } from '../model/app-state.ts';
import { conversationName, selectContactName } from '../select/names.ts';

type Sources = Pick<AppState['cache'], 'contacts'> & Pick<AppState['local'], 'names'>;

const none: Sources = { contacts: new Map(), names: new Map() };
let held = { from: none, folded: new Map<ContactId | GroupId, string>() };

export function foldedName(state: AppState, conversation: Conversation): string {
  const id = conversation.contactId ?? conversation.groupId ?? conversation.id;
  return known(state, id) ?? keep(id, conversationName(state, conversation));
}

export const foldedContactName = (state: AppState, id: ContactId): string =>
  known(state, id) ?? keep(id, selectContactName(state, id, null));

function known({ cache, local }: AppState, id: ContactId | GroupId): string | undefined {
  const { from, folded } = held;
  if (from.contacts !== cache.contacts || from.names !== local.names) renew(cache.contacts, local.names);
  return folded.get(id);
}

function keep(id: ContactId | GroupId, name: string): string {
  const folded = fold(name);
  held.folded.set(id, folded);
  return folded;
}

/** Forgets what has got another name. */
function renew(contacts: Sources['contacts'], names: Sources['names']): void {
  const { from, folded } = held;
  if (folded.size > 0) {
    eachChange(from.contacts, contacts, (id) => folded.delete(id));
    eachChange(from.names, names, (id) => folded.delete(id));
  }
  held = { from: { contacts, names }, folded };
}
