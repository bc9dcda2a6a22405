/** Turns rows of the database into the resources of the API document §2. */
import type { WireContact, WireConversation, WireMessage } from '../../protocol/wire.ts';
import type { ConversationRow } from '../store/conversations.ts';
import type { PersonRow } from '../store/people.ts';

export interface PostedMessage {
  readonly id: string;
  readonly conversation_id: string;
  readonly author: PersonRow;
  readonly text: string;
  readonly created_at: number;
}

export function presentConversation(row: ConversationRow): WireConversation {
  return {
    id: row.id,
    contact_id: row.group_id === null ? row.contact_id : null,
    group_id: row.group_id,
    pinned_message_id: row.pinned_message_id,
    is_pinned: row.is_pinned === 1,
    is_muted: row.is_muted === 1,
    last_active_at: row.last_active_at,
    last_opened_at: row.last_opened_at,
    created_at: row.created_at,
    archived_at: row.archived_at,
  };
}

/** A message that was just sent, without attachments. Other messages are read as JSON text (`store/message-json.ts`). */
export function presentPosted(message: PostedMessage): WireMessage {
  const { id, conversation_id, author, text, created_at } = message;
  return {
    id,
    conversation_id,
    contact: presentAuthor(author),
    message: text,
    reactions: [],
    attachments: [],
    read_at: null,
    created_at,
    updated_at: null,
  };
}

function presentAuthor({ id, username, phone_number, avatar_url, last_active_at, created_at }: PersonRow): WireContact {
  return { id, username, phone_number, avatar_url, last_active_at, created_at };
}
