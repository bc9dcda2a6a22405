/** Finds muted and archived conversations: they do not notify, except by a keyword, and do not count in totals of unread. */
import type { Conversation } from '../../protocol/types.ts';

/** Whether the user has muted or archived the conversation. */
export const isMutedOrArchived = ({ isMuted, archivedAt }: Conversation): boolean => isMuted || archivedAt !== null;
