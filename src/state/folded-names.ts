/** Names as a search compares them, kept from one key to the next: to make one takes ten times as long as to compare it. */
import type { ContactId, Conversation, GroupId } from '../protocol/types.ts';
import { fold } from '../text/find.ts';
import { conversationName, selectContactName } from './names.ts';
import { eachChange } from './sharded-map.ts';
import type { AppState } from './state.ts';

type Sources = Pick<AppState['cache'], 'contacts'> & Pick<AppState['local'], 'names'>;

const none: Sources = { contacts: new Map(), names: new Map() };
let held = { from: none, folded: new Map<ContactId | GroupId, string>() };

export const foldedName = (state: AppState, conversation: Conversation): string =>
  kept(state, conversation.contactId ?? conversation.groupId ?? conversation.id, () =>
    conversationName(state, conversation),
  );

export const foldedContactName = (state: AppState, id: ContactId): string =>
  kept(state, id, () => selectContactName(state, id, null));

function kept(state: AppState, id: ContactId | GroupId, nameOf: () => string): string {
  renew(state.cache.contacts, state.local.names);
  const known = held.folded.get(id);
  if (known !== undefined) return known;
  const folded = fold(nameOf());
  held.folded.set(id, folded);
  return folded;
}

/** Forgets what has got another name. */
function renew(contacts: Sources['contacts'], names: Sources['names']): void {
  const { from, folded } = held;
  if (from.contacts === contacts && from.names === names) return;
  if (folded.size > 0) {
    eachChange(from.contacts, contacts, (id) => folded.delete(id));
    eachChange(from.names, names, (id) => folded.delete(id));
  }
  held = { from: { contacts, names }, folded };
}
