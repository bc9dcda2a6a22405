/** Makes the document of `msg-tui unread --json`. */
import type { Local } from '../../state/model/app-state.ts';
import { conversationName } from '../../state/select/names.ts';
import { initialState } from '../../state/store.ts';
import type { UnreadCount } from '../../storage/unread-counts.ts';
import { jsonDocument } from '../output/print.ts';

export function unreadJson(total: number, counts: readonly UnreadCount[], local: Local): string {
  const contacts = counts.flatMap(({ contact }) => (contact === null ? [] : [[contact.id, contact] as const]));
  const state = initialState({ cache: { contacts: new Map(contacts) }, local });
  const conversations = counts.map(({ conversation, count }) => ({
    id: conversation.id,
    name: conversationName(state, conversation),
    unread: count,
  }));
  return jsonDocument({ unread: total, conversations });
}
