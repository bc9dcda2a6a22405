/** Method and path of each of the ten operations (API document §4). */
import type { ConversationId, MessageId } from './types.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export type Operation =
  | 'listMessages'
  | 'sendMessage'
  | 'retrieveMessage'
  | 'updateMessage'
  | 'deleteMessage'
  | 'listConversations'
  | 'createConversation'
  | 'retrieveConversation'
  | 'updateConversation'
  | 'deleteConversation';

export interface Route {
  readonly method: Method;
  /** With `:id` where the identifier goes. */
  readonly path: string;
}

export const messagesPath = '/v1/messages';
export const conversationsPath = '/v1/conversations';

export const routes: Readonly<Record<Operation, Route>> = {
  listMessages: { method: 'GET', path: messagesPath },
  sendMessage: { method: 'POST', path: messagesPath },
  retrieveMessage: { method: 'GET', path: `${messagesPath}/:id` },
  updateMessage: { method: 'PUT', path: `${messagesPath}/:id` },
  deleteMessage: { method: 'DELETE', path: `${messagesPath}/:id` },
  listConversations: { method: 'GET', path: conversationsPath },
  createConversation: { method: 'POST', path: conversationsPath },
  retrieveConversation: { method: 'GET', path: `${conversationsPath}/:id` },
  updateConversation: { method: 'PUT', path: `${conversationsPath}/:id` },
  deleteConversation: { method: 'DELETE', path: `${conversationsPath}/:id` },
};

/** The id must be addressable (`isAddressable`); anything else does not survive URL parsing as one path segment. */
export function messagePath(id: MessageId): string {
  return `${messagesPath}/${encodeURIComponent(id)}`;
}

/** As `messagePath`. */
export function conversationPath(id: ConversationId): string {
  return `${conversationsPath}/${encodeURIComponent(id)}`;
}
