/** Turns rows of the database into the resources of the API document §2. */
import type { WireAttachment, WireContact, WireConversation, WireMessage, WireReaction } from '../../protocol/wire.ts';
import type { ConversationRow } from '../store/conversations.ts';
import { type Marks, marksOf } from '../store/marks.ts';
import type { MessageRow } from '../store/messages.ts';

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

export function presentMessage(row: MessageRow): WireMessage {
  const { reactions, attachments } = marksOf(row);
  return {
    id: row.id,
    conversation_id: row.conversation_id,
    contact: presentAuthor(row),
    message: row.text,
    reactions: presentReactions(reactions),
    attachments: attachments.map((attachment) => presentAttachment(attachment, row.id)),
    read_at: row.read_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

function presentAuthor(row: MessageRow): WireContact {
  return {
    id: row.contact_id,
    username: row.contact_username,
    phone_number: row.contact_phone_number,
    avatar_url: row.contact_avatar_url,
    last_active_at: row.contact_last_active_at,
    created_at: row.contact_created_at,
  };
}

function presentReactions(reactions: Marks['reactions']): readonly WireReaction[] {
  const names = new Map<string, string[]>();
  for (const [name, username] of reactions) names.set(name, [...(names.get(name) ?? []), username]);
  return [...names].map(([name, by]) => ({ [name]: by }));
}

function presentAttachment(row: Marks['attachments'][number], messageId: string): WireAttachment {
  return {
    id: row.id,
    message_id: messageId,
    filename: row.filename,
    file_url: row.file_url,
    file_type: row.file_type,
    file_size: row.file_size,
    created_at: row.created_at,
  };
}
