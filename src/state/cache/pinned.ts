/** The pinned message of a conversation, also where the window of its thread does not hold it. */
import type { ConversationId, Message, MessageId } from '../../protocol/types.ts';
import { sameValue } from '../collections/equal.ts';
import { withEntry, withoutEntry } from '../collections/sharded-map.ts';
import type { AppState } from '../model/app-state.ts';
import type { Transition } from '../store.ts';
import { patchCache } from './conversations.ts';

/** The pinned message, as far as it is held. */
export function pinnedMessage({ cache }: AppState, id: ConversationId, pinned: MessageId): Message | undefined {
  const isIt = (message: Message | undefined): boolean => message?.id === pinned;
  const inThread = cache.threads.get(id)?.messages.find(isIt);
  return inThread ?? [cache.lastMessages.get(id), cache.pinned.get(id)].find(isIt);
}

export const setPinned =
  (id: ConversationId, message: Message): Transition =>
  (state) =>
    patchCache(state, { pinned: withEntry(state.cache.pinned, id, message) });

/** To be applied when these messages were read: the pinned one may have been edited. */
export const refreshPinned =
  (id: ConversationId, read: readonly Message[]): Transition =>
  (state) => {
    const held = state.cache.pinned.get(id);
    const now = held === undefined ? undefined : read.find((message) => message.id === held.id);
    return now === undefined || sameValue(held, now) ? state : setPinned(id, now)(state);
  };

/** To be applied when these messages were deleted. */
export const forgetPinned =
  (id: ConversationId, deleted: readonly MessageId[]): Transition =>
  (state) => {
    const { pinned } = state.cache;
    const isDeleted = deleted.includes(pinned.get(id)?.id ?? '');
    return patchCache(state, { pinned: isDeleted ? withoutEntry(pinned, id) : pinned });
  };
