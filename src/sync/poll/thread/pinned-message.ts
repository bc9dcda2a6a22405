/**
 * Has the pinned message of the open conversation in the state, so that it is shown on top: it is often older than what is
 * loaded of the thread.
 */
import type { ConversationId, MessageId } from '../../../protocol/types.ts';
import { pinnedMessage, setPinned } from '../../../state/cache/pinned.ts';
import type { AppState } from '../../../state/model/app-state.ts';
import { selectConversation } from '../../../state/select/selectors.ts';
import { findMessage } from '../../read/read-message.ts';
import { apiError } from '../../services/request.ts';
import { type Services, stateOf, update } from '../../services/services.ts';

/** The id of the pinned message; null where none is pinned, or it is loaded already. */
export function missingPinned(state: AppState, id: ConversationId): MessageId | null {
  const pinned = selectConversation(state, id)?.pinnedMessageId ?? null;
  return pinned === null || pinnedMessage(state, id, pinned) !== undefined ? null : pinned;
}

/** Takes the pinned message from the disk, where it is cached. */
export function loadPinned(context: Services, id: ConversationId): void {
  const pinned = missingPinned(stateOf(context), id);
  const message = pinned === null ? null : context.cache.message(id, pinned);
  if (message !== null) update(context, setPinned(id, message));
}

/** Whether a request may tell the server that the conversation is read: only lists surely tell it nothing. */
export const mayTellRead = ({ settings, view, cache }: AppState, id: ConversationId): boolean =>
  settings.revealReading && view.openId === id && view.isPeeking !== true && !cache.unread.has(id);

/** Retrieves the pinned message. A failure is not shown. */
export async function retrievePinned(context: Services, id: ConversationId, pinned: MessageId): Promise<void> {
  try {
    const message = await findMessage(context, pinned);
    if (message !== null && (message.conversationId ?? id) === id) update(context, setPinned(id, message));
  } catch (error) {
    // An error that is not one of the API is a bug, and is thrown again here.
    apiError(error);
  }
}
