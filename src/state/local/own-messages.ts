/** Whether the user wrote a message, also before the service has told who the user is. */
import type { ContactId, Message } from '../../protocol/types.ts';
import { knownMessages } from '../cache/conversations.ts';
import type { AppState } from '../model/app-state.ts';

/** Whether the user wrote it; false where it cannot be known (a group before the first send). */
export function isOwn(message: Message, state: AppState): boolean {
  return ownership(message, state) === 'own';
}

/**
 * As `isOwn`, and says when it cannot be known. In a conversation with a contact, whoever is not the contact is the user
 * (server-differences: Who am I), but only where the contact wrote too: a server may name contacts by other ids in
 * conversations than in messages, and then everybody would be the user.
 */
export function ownership(message: Message, state: AppState): 'own' | 'other' | 'unknown' {
  const sender = message.contact?.id;
  if (sender === undefined) return 'unknown';
  const { me } = state.local;
  if (me !== null) return me.contactId === sender ? 'own' : 'other';
  const id = message.conversationId;
  const other = id === null ? null : (state.cache.conversations.get(id)?.contactId ?? null);
  if (id === null || other === null) return 'unknown';
  if (other === sender) return 'other';
  return sendersOf(knownMessages(state, id)).has(other) ? 'own' : 'unknown';
}

const senders = new WeakMap<readonly Message[], ReadonlySet<ContactId>>();

/** Who wrote the messages of a list; each list is gone through once. */
function sendersOf(messages: readonly Message[]): ReadonlySet<ContactId> {
  const known = senders.get(messages);
  if (known !== undefined) return known;
  const ids = new Set(messages.flatMap(({ contact }) => (contact === null ? [] : [contact.id])));
  senders.set(messages, ids);
  return ids;
}
