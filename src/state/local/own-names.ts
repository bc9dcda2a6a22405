/** Names that the user gave to contacts and groups, and notes about them; the service has no place for either. */
import type { Conversation } from '../../protocol/types.ts';
import { withEntry, withoutEntry } from '../collections/sharded-map.ts';
import type { Person } from '../model/details.ts';
import type { Transition } from '../store.ts';
import { patchLocal } from './records.ts';

type Texts = ReadonlyMap<string, string>;

/** The key of a name or note: with the kind, as servers number contacts and groups from one each. */
export const textKey = (kind: Person['kind'], id: string): string => `${kind} ${id}`;

/** Keys were bare ids once; such a text is that of the contact and of the group with the id. */
export const textAbout = (texts: Texts, kind: Person['kind'], id: string): string | undefined =>
  texts.size === 0 ? undefined : (texts.get(textKey(kind, id)) ?? texts.get(id));

/** The contact or the group of a conversation; null where the server names neither. */
export function partnerOf({ contactId, groupId }: Pick<Conversation, 'contactId' | 'groupId'>): Person | null {
  if (contactId !== null) return { kind: 'contact', id: contactId };
  return groupId === null ? null : { kind: 'group', id: groupId };
}

/** The name that the user gave to the contact or the group of a conversation. */
export function nameOfPartner(names: Texts, conversation: Conversation): string | undefined {
  const of = partnerOf(conversation);
  return of === null ? undefined : textAbout(names, of.kind, of.id);
}

/** The id of the contact or group that a key stands for. */
export const idOfKey = (key: string): string => key.replace(/^(?:contact|group) /, '');

/** Without a text none is left of an earlier key either. */
const withText = (texts: Texts, { kind, id }: Person, text: string | null): Texts =>
  text === null ? withoutEntry(withoutEntry(texts, textKey(kind, id)), id) : withEntry(texts, textKey(kind, id), text);

/** Sets the user's name for a contact or group; null removes it. */
export const setName =
  (of: Person, name: string | null): Transition =>
  (state) =>
    patchLocal(state, { names: withText(state.local.names, of, name) });

/** Sets the user's note about a contact or group; null removes it. */
export const setNote =
  (of: Person, note: string | null): Transition =>
  (state) =>
    patchLocal(state, { notes: withText(state.local.notes, of, note) });
