/**
 * Who the user of the token is, and whether a message is theirs. The service reports neither: an answer shows who the
 * user is, and a later answer may contradict it.
 */
import { policyOf } from '../../protocol/server-policy.ts';
import type { ContactId, ConversationId, Message } from '../../protocol/types.ts';
import { knownMessages } from '../cache/conversations.ts';
import { sameValue } from '../collections/equal.ts';
import type { AppState, Me } from '../model/app-state.ts';
import type { Transition } from '../store.ts';
import { patchLocal } from './records.ts';

export const setIdentity =
  (me: Me): Transition =>
  (state) => {
    const { me: held } = state.local;
    // An identity that an answer has confirmed stays confirmed when the same one is only inferred later.
    const next =
      held?.contactId === me.contactId && held.isConfirmed === true ? { ...me, isConfirmed: held.isConfirmed } : me;
    return sameValue(held, next) ? state : patchLocal(state, { me: next });
  };

/** Marks the identity as disputed: an answer named another user. */
export const markDisputed: Transition = (state) =>
  state.local.me === null ? state : patchLocal(state, { me: { ...state.local.me, isDisputed: true } });

/** Ends a dispute after the user has given a new token: the next answer decides, whomever it names. */
export const clearDispute: Transition = (state) => {
  const { me } = state.local;
  if (me?.isDisputed !== true) return state;
  return patchLocal(state, { me: undisputed(me) });
};

export const undisputed = ({ contactId, username }: Me): Me => ({ contactId, username });

/** The strings by which reactions name the user, the one to send first; none while it is not known who the user is. */
export function ownReactionIds(state: AppState, conversationId?: ConversationId): readonly string[] {
  const me = state.local.me ?? identityFrom(state, conversationId);
  if (me === null) return [];
  const asId = policyOf(state.local.capabilities).reactions.writesUserAs === 'id' || me.username === null;
  const both = asId ? [me.contactId, me.username] : [me.username, me.contactId];
  return both.filter((entry): entry is string => entry !== null);
}

/**
 * In a contact conversation whoever is not the contact is the user (server-differences: Who am I). This is believed only where
 * the contact wrote too, or where that person wrote to another contact as well: a server that names contacts otherwise in
 * the two places would make everybody the user.
 */
export const inferIdentity =
  (id: ConversationId, messages: readonly Message[]): Transition =>
  (state) => {
    const other = state.cache.conversations.get(id)?.contactId ?? null;
    if (state.local.me !== null || other === null) return state;
    const own = messages.findLast(({ contact }) => contact !== null && contact.id !== other)?.contact ?? null;
    if (own === null) return state;
    const isShown = messages.some(({ contact }) => contact?.id === other) || wroteToAnother(state, own.id, other);
    return isShown ? setIdentity({ contactId: own.id, username: own.username })(state) : state;
  };

/** Whether the newest message of another contact's conversation is theirs: a contact writes in one conversation alone. */
function wroteToAnother(state: AppState, sender: ContactId, contact: ContactId): boolean {
  const { conversations, lastMessages } = state.cache;
  for (const [id, message] of lastMessages) {
    if (message.contact?.id !== sender) continue;
    const other = conversations.get(id)?.contactId ?? null;
    if (other !== null && other !== contact && other !== sender) return true;
  }
  return false;
}

/** As `inferIdentity`, from the messages that are held (server-differences: Who am I); null when none shows it. */
function identityFrom(state: AppState, conversationId: ConversationId | undefined): Me | null {
  if (conversationId === undefined) return null;
  const messages = knownMessages(state, conversationId);
  const contact = messages.findLast((message) => isOwn(message, state))?.contact;
  return contact === undefined || contact === null ? null : { contactId: contact.id, username: contact.username };
}

/** Whether the user wrote it; false where it cannot be known (a group before the first send). */
export function isOwn(message: Message, state: AppState): boolean {
  return ownership(message, state) === 'own';
}

/**
 * As `isOwn`, and says when it cannot be known. In a conversation with a contact, whoever is not the contact is the user
 * (server-differences: Who am I), but only where the contact wrote too: a server may name contacts by other ids in
 * conversations than in messages, and then everybody would be the user.
 */
export function ownership(message: Message, state: AppState): Ownership {
  const id = message.conversationId;
  const other = id === null ? null : (state.cache.conversations.get(id)?.contactId ?? null);
  const hasWritten = (contact: ContactId): boolean => id !== null && sendersOf(knownMessages(state, id)).has(contact);
  return ownershipAmong(message, state.local.me, other, hasWritten);
}

type Ownership = 'own' | 'other' | 'unknown';

/**
 * The rule of `ownership`, which `storage/cache/unread.ts` has in SQL.
 * @param other the contact of the conversation
 * @param hasWritten whether the contact wrote one of its messages
 */
export function ownershipAmong(
  { contact }: Message,
  me: Me | null,
  other: ContactId | null,
  hasWritten: (contact: ContactId) => boolean,
): Ownership {
  if (contact === null) return 'unknown';
  if (me !== null) return me.contactId === contact.id ? 'own' : 'other';
  if (other === null) return 'unknown';
  if (other === contact.id) return 'other';
  return hasWritten(other) ? 'own' : 'unknown';
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
