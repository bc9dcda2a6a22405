/** Turns rows of the database into the resources of the API document §2. */
import type { WireAttachment, WireContact, WireConversation, WireMessage, WireReaction } from '../../protocol/wire.ts';
import type { ConversationRow } from '../store/conversations.ts';
import type { Attachment, Author, MessageRow, Reaction } from '../store/message-rows.ts';

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
  return {
    id: row.id,
    conversation_id: row.conversation_id,
    contact: presentAuthor(row.author),
    message: row.text,
    reactions: presentReactions(row.reactions),
    attachments: row.attachments.map((attachment) => presentAttachment(attachment, row.id)),
    read_at: row.read_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

function presentAuthor({ id, username, phone_number, avatar_url, last_active_at, created_at }: Author): WireContact {
  return { id, username, phone_number, avatar_url, last_active_at, created_at };
}

function presentReactions(reactions: readonly Reaction[]): readonly WireReaction[] {
  const names = new Map<string, string[]>();
  for (const { name, username } of reactions) names.set(name, [...(names.get(name) ?? []), username]);
  return [...names].map(([name, by]) => ({ [name]: by }));
}

function presentAttachment(row: Attachment, messageId: string): WireAttachment {
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
