/** Makes the JSON of conversations, people and messages: the fields of the API, and those that only msg-tui has. */
import type { Contact, Conversation, Message, Reaction } from '../../protocol/types.ts';
import { ownership } from '../../state/local/identity.ts';
import type { AppState } from '../../state/model/app-state.ts';
import { conversationName, selectContactName, selectConversationName } from '../../state/select/names.ts';
import { isoTime } from './print.ts';

/** @param conversation the conversation with its pending changes applied */
export function conversationJson(state: AppState, conversation: Conversation) {
  const { id } = conversation;
  const last = state.cache.lastMessages.get(id);
  return {
    id,
    name: conversationName(state, conversation),
    contact_id: conversation.contactId,
    group_id: conversation.groupId,
    pinned_message_id: conversation.pinnedMessageId,
    is_pinned: conversation.isPinned,
    is_muted: conversation.isMuted,
    muted_until: isoTime(state.local.mutedUntil.get(id) ?? null),
    last_active_at: isoTime(conversation.lastActiveAt),
    last_opened_at: isoTime(conversation.lastOpenedAt),
    created_at: isoTime(conversation.createdAt),
    archived_at: isoTime(conversation.archivedAt),
    unread: state.cache.unread.get(id) ?? 0,
    last_message: last === undefined ? null : messageJson(state, { ...last, conversationId: id }),
  };
}

export function messageJson(state: AppState, message: Message) {
  const { id, conversationId, contact, text } = message;
  const owner = ownership(message, state);
  return {
    id,
    conversation_id: conversationId,
    conversation_name: conversationId === null ? null : selectConversationName(state, conversationId),
    contact: contact === null ? null : contactJson(state, contact),
    /** Null until msg-tui knows which contact the user is. */
    is_own: owner === 'unknown' ? null : owner === 'own',
    message: text,
    is_truncated: message.isTruncated,
    reactions: message.reactions.map(reactionJson),
    attachments: message.attachments.map(({ fields }) => fields),
    read_at: isoTime(message.readAt),
    created_at: isoTime(message.createdAt),
    updated_at: isoTime(message.updatedAt),
  };
}

function contactJson(state: AppState, contact: Contact) {
  return {
    id: contact.id,
    name: selectContactName(state, contact.id, contact),
    username: contact.username,
    phone_number: contact.phoneNumber,
    avatar_url: contact.avatarUrl,
    last_active_at: isoTime(contact.lastActiveAt),
    created_at: isoTime(contact.createdAt),
  };
}

/** The reaction as the API has it (§2.4); a reaction named `__proto__` becomes an own key of the object. */
const reactionJson = ({ name, by }: Reaction) => Object.fromEntries([[name, by]]);
