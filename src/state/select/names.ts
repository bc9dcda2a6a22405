/** Names of people and conversations: the user's own name, else that of the contact book, else a shortened id. */
import type { Contact, ContactId, Conversation, ConversationId, Message, Partner } from '../../protocol/types.ts';
import { sanitizeName, skeleton } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { eachChange } from '../collections/sharded-map.ts';
import { isOwn } from '../local/identity.ts';
import { idOfKey, textAbout } from '../local/own-names.ts';
import type { AppState } from '../model/app-state.ts';

type Names = AppState['local']['names'];
type Contacts = ReadonlyMap<ContactId, Contact>;

/** The name is one line and never empty; names that look alike have the end of their id after them (R-SAN-3). */
export function selectConversationName(state: AppState, id: ConversationId): SafeText {
  const conversation = state.cache.conversations.get(id);
  return conversation === undefined ? shortId(id) : conversationName(state, conversation);
}

/** One that is kept for its unsent text may be listed beside a new one with the same partner, so it says that it is gone. */
export function conversationName(state: AppState, conversation: Conversation): SafeText {
  const { id, formerPartner } = conversation;
  if (formerPartner === undefined) return partnerName(state, id, conversation);
  return safe`${partnerName(state, id, formerPartner)} (gone)`;
}

export function partnerName(state: AppState, id: ConversationId, { contactId, groupId }: Partner): SafeText {
  if (contactId !== null) return selectContactName(state, contactId, state.cache.contacts.get(contactId) ?? null);
  if (groupId === null) return shortId(id);
  const given = textAbout(state.local.names, 'group', groupId);
  return given === undefined ? safe`Group ${shortId(groupId)}` : sanitizeName(given);
}

/** @param embedded a contact object from a message, used when the contact book has none */
export function selectContactName(state: AppState, id: ContactId, embedded: Contact | null): SafeText {
  const { names } = state.local;
  const name = plainName(id, state.cache.contacts.get(id) ?? embedded, names);
  return isLookAlike(id, state.cache.contacts, names) ? safe`${name} (${shortId(id)})` : name;
}

/** The username of a person who is shown under a name that the user chose. Null: the username is shown, or it is not known. */
export const usernameBehindName = ({ cache, local }: AppState, id: ContactId | null): string | null =>
  id !== null && textAbout(local.names, 'contact', id) !== undefined
    ? (cache.contacts.get(id)?.username ?? null)
    : null;

/** The author of a message; a contact object may be missing (R-PARSE). */
export const authorName = (state: AppState, contact: Contact | null): SafeText =>
  contact === null ? literal('(unknown)') : selectContactName(state, contact.id, contact);

/** The author of a message as it is shown: "You" for the user. */
export const messageAuthor = (state: AppState, message: Message): SafeText =>
  isOwn(message, state) ? literal('You') : authorName(state, message.contact);

function plainName(id: ContactId, contact: Contact | null, names: Names): SafeText {
  const given = textAbout(names, 'contact', id);
  if (given !== undefined) return sanitizeName(given);
  return contact === null ? safe`Contact ${shortId(id)}` : bookName(contact);
}

const bookNames = new WeakMap<Contact, SafeText>();

function bookName(contact: Contact): SafeText {
  const held = bookNames.get(contact);
  if (held !== undefined) return held;
  const given = [contact.username, contact.phoneNumber].find((name) => name !== null && name.trim() !== '');
  const name = given === null || given === undefined ? safe`Contact ${shortId(contact.id)}` : sanitizeName(given);
  bookNames.set(contact, name);
  return name;
}

/** The end of an id, where ids made in sequence differ. */
export const shortId = (id: string): SafeText => safe`#${sanitizeName(id.length > 8 ? id.slice(-6) : id)}`;

const skeletons = new WeakMap<Contact, { readonly name: SafeText; readonly skeleton: string }>();

type Holders = ContactId | Set<ContactId>;

/** The ids with each skeleton, for the contact book and the names of the last call. */
const lookAlikes = {
  contacts: new Map() as Contacts,
  names: new Map() as Names,
  holders: new Map<string, Holders>(),
};

/** Whether its name could be taken for that of another contact (their UTS #39 skeletons are equal). */
function isLookAlike(id: ContactId, contacts: Contacts, names: Names): boolean {
  if (lookAlikes.contacts !== contacts || lookAlikes.names !== names) updateLookAlikes(contacts, names);
  const contact = contacts.get(id);
  return contact !== undefined && lookAlikes.holders.get(keyOf(contact, names)) instanceof Set;
}

/** Visits only the changed contacts, as the contact book may be large. */
function updateLookAlikes(contacts: Contacts, names: Names): void {
  const before = { ...lookAlikes };
  const changed = new Set<ContactId>();
  eachChange(before.contacts, contacts, (id) => changed.add(id));
  eachChange(before.names, names, (key) => changed.add(idOfKey(key)));
  for (const id of changed) {
    const was = before.contacts.get(id);
    const is = contacts.get(id);
    if (was !== undefined) removeHolder(before.holders, keyOf(was, before.names), id);
    if (is !== undefined) addHolder(before.holders, keyOf(is, names), id);
  }
  Object.assign(lookAlikes, { contacts, names });
}

function addHolder(holders: Map<string, Holders>, key: string, id: ContactId): void {
  const held = holders.get(key);
  if (held === undefined) holders.set(key, id);
  else if (held instanceof Set) held.add(id);
  else if (held !== id) holders.set(key, new Set([held, id]));
}

function removeHolder(holders: Map<string, Holders>, key: string, id: ContactId): void {
  const held = holders.get(key);
  if (held === id) holders.delete(key);
  if (!(held instanceof Set)) return;
  held.delete(id);
  const [last] = held;
  if (held.size === 1 && last !== undefined) holders.set(key, last);
}

const keyOf = (contact: Contact, names: Names): string => skeletonOf(contact, plainName(contact.id, contact, names));

function skeletonOf(contact: Contact, name: SafeText): string {
  const held = skeletons.get(contact);
  if (held?.name === name) return held.skeleton;
  const made = skeleton(name);
  skeletons.set(contact, { name, skeleton: made });
  return made;
}
