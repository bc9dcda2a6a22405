/** Names that the user gave to contacts and groups, and notes about them; the service has no place for either. */
import type { ContactId, GroupId } from '../../protocol/types.ts';
import { withEntry, withoutEntry } from '../collections/sharded-map.ts';
import type { Transition } from '../store.ts';
import { patchLocal } from './records.ts';

type Texts = ReadonlyMap<ContactId | GroupId, string>;

const withText = (texts: Texts, id: ContactId | GroupId, text: string | null): Texts =>
  text === null ? withoutEntry(texts, id) : withEntry(texts, id, text);

/** Sets the user's name for a contact or group; null removes it. */
export const setName =
  (id: ContactId | GroupId, name: string | null): Transition =>
  (state) =>
    patchLocal(state, { names: withText(state.local.names, id, name) });

/** Sets the user's note about a contact or group; null removes it. */
export const setNote =
  (id: ContactId | GroupId, note: string | null): Transition =>
  (state) =>
    patchLocal(state, { notes: withText(state.local.notes, id, note) });
