/** Which conversations are to stay quiet. */
import type { Conversation } from '../../protocol/types.ts';

/** The user has put it away or asked to hear nothing of it. */
export const isMutedOrArchived = ({ isMuted, archivedAt }: Conversation): boolean => isMuted || archivedAt !== null;
