/** Makes the JSON document that the notification command reads; docs/notifications.md describes it. */

import type { AppState } from '../state/model/app-state.ts';
import { authorName, selectConversationName } from '../state/select/names.ts';
import { sanitizeBody } from '../text/safe/sanitize.ts';
import type { Notification } from './notifier.ts';

const mostUnits = 4_000;

/** The document contains only what the privacy level lets a notification show. */
export function notificationDocument(state: AppState, { title, body, bursts }: Notification, now: number): object {
  const { privacy } = state.settings.notify;
  const [burst] = bursts;
  const base = {
    schema: 1,
    event: 'messages',
    time: new Date(now).toISOString(),
    title,
    body,
    count: bursts.reduce((sum, { count }) => sum + count, 0),
  };
  if (burst === undefined || bursts.length > 1 || privacy === 'none') return base;
  const { conversationId, last } = burst;
  const name = selectConversationName(state, conversationId);
  const named = { ...base, conversation: { id: conversationId, name }, author: authorName(state, last.contact) };
  return privacy === 'full' ? { ...named, text: sanitizeBody(last.text.slice(0, mostUnits)) } : named;
}
