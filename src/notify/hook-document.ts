/** Makes the JSON documents that hooks read on their standard input; docs/hooks.md describes them. */
import type { ConversationId, Message, Millis } from '../protocol/types.ts';
import type { AppState, Op } from '../state/model/app-state.ts';
import { authorName, selectConversationName } from '../state/select/names.ts';
import { sanitizeBody, sanitizeLine } from '../text/safe/sanitize.ts';

export interface Arrived {
  readonly conversationId: ConversationId;
  readonly message: Message;
}

const mostUnits = 4_000;
const isoTime = (at: Millis | null): string | null =>
  at === null || Math.abs(at) > 8.64e15 ? null : new Date(at).toISOString();

/**
 * The document contains only what `notify.privacy` lets a notification show.
 * @param newest the newest of the messages, oldest first
 * @param count the number of all messages
 */
export function arrivalDocument(
  state: AppState,
  event: 'arrival' | 'mention',
  { newest, count, now }: { readonly newest: readonly Arrived[]; readonly count: number; readonly now: Millis },
): object {
  const { privacy } = state.settings.notify;
  const base = { schema: 1, event, time: isoTime(now), count };
  if (privacy === 'none') return base;
  const messages = newest.map(({ conversationId, message }) => ({
    id: message.id,
    conversation: { id: conversationId, name: selectConversationName(state, conversationId) },
    author: { id: message.contact?.id ?? null, name: authorName(state, message.contact) },
    created_at: isoTime(message.createdAt),
    ...(privacy === 'full' ? { text: sanitizeBody(message.text.slice(0, mostUnits)) } : {}),
  }));
  return { ...base, messages };
}

export function failureDocument(
  state: AppState,
  { newest, count, now }: { readonly newest: readonly Op[]; readonly count: number; readonly now: Millis },
): object {
  const { privacy } = state.settings.notify;
  const base = { schema: 1, event: 'failure', time: isoTime(now), count };
  if (privacy === 'none') return base;
  const failures = newest.map(({ uuid, action, state: is, created, reason }) => {
    const id = 'conversationId' in action ? action.conversationId : null;
    return {
      op: uuid,
      kind: action.kind,
      state: is,
      conversation: id === null ? null : { id, name: selectConversationName(state, id) },
      created_at: isoTime(created),
      reason: reason === null ? null : sanitizeLine(reason.slice(0, mostUnits)),
    };
  });
  return { ...base, failures };
}
