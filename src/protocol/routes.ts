/** The methods and paths of the API (API document §4). */
import type { ConversationId, MessageId } from './types.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export const messagesPath = '/v1/messages';
export const conversationsPath = '/v1/conversations';

/** The id must be addressable (`isAddressable`); anything else does not survive URL parsing as one path segment. */
export function messagePath(id: MessageId): string {
  return `${messagesPath}/${encodeURIComponent(id)}`;
}

/** As `messagePath`. */
export function conversationPath(id: ConversationId): string {
  return `${conversationsPath}/${encodeURIComponent(id)}`;
}
