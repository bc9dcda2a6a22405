/** Names that the user gave to contacts and groups; the service has no place for them. */
import type { ContactId, GroupId } from '../../protocol/types.ts';
import { withEntry, withoutEntry } from '../collections/sharded-map.ts';
import type { Transition } from '../store.ts';
import { patchLocal } from './records.ts';

/** Sets the user's name for a contact or group; null removes it. */
export const setName =
  (id: ContactId | GroupId, name: string | null): Transition =>
  (state) =>
    patchLocal(state, {
      names: name === null ? withoutEntry(state.local.names, id) : withEntry(state.local.names, id, name),
    });
