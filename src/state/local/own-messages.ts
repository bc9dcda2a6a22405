/** Whether the user wrote a message, also before the service has told who the user is. */
import type { Message } from '../../protocol/types.ts';
import type { AppState } from '../model/app-state.ts';

/** Whether the user wrote it; false where it cannot be known (a group before the first send). */
export function isOwn(message: Message, state: AppState): boolean {
  return ownership(message, state) === 'own';
}

/** As `isOwn`, and says when it cannot be known. */
export function ownership(message: Message, state: AppState): 'own' | 'other' | 'unknown' {
  const sender = message.contact?.id;
  if (sender === undefined) return 'unknown';
  const { me } = state.local;
  if (me !== null) return me.contactId === sender ? 'own' : 'other';
  const id = message.conversationId;
  const other = id === null ? null : (state.cache.conversations.get(id)?.contactId ?? null);
  if (other === null) return 'unknown';
  return other === sender ? 'other' : 'own';
}
