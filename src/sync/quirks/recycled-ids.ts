/**
 * Ids that a server gives to one message after another: it may give that of the message deleted last to the next one, or
 * begin from the start when it is set up anew. What was claimed by such an id says nothing of the message that has it now.
 */
import { compareText, isSame } from '../../protocol/same-text.ts';
import type { ConversationId, Message } from '../../protocol/types.ts';
import type { Services } from '../services/services.ts';
import { isOfAnotherTime } from '../services/write-tracker.ts';

/** The row of a history is not what was known by its id: that was deleted from here, or has other words and another time. */
export function isRecycledId(context: Services, id: ConversationId, row: Message): boolean {
  if (context.writes.isRecycledId(row.id, row.createdAt)) return true;
  const held = context.cache.message(id, row.id);
  return held !== null && isOfAnotherTime(held.createdAt, row.createdAt) && !isSame(compareText(held.text, row.text));
}

/**
 * What the answer to a send names is new, unless it is there already: a server may answer with a message that it takes for
 * the same. An id that no list has shown may be a provisional one that every answer has.
 */
export function isNewUnderOldId(context: Services, id: ConversationId, answered: Message): boolean {
  const held = context.cache.message(id, answered.id);
  if (held === null) return true;
  return !context.unlistedSends.has(answered.id) && isOfAnotherTime(held.createdAt, answered.createdAt);
}
