/**
 * Ids that a server gives to one message after another: it may give the id of the message that was deleted last to the
 * next one, or begin from the start when it is set up anew. That an op has claimed such an id says nothing about the
 * message that has it now.
 */
import { compareText, isSame } from '../../protocol/same-text.ts';
import { isOfAnotherTime } from '../../protocol/time.ts';
import type { ConversationId, Message } from '../../protocol/types.ts';
import type { Services } from '../services/services.ts';

/** Whether a row is another message than the one known by its id: deleted, or of another text and time. */
export function isRecycledId(context: Services, id: ConversationId, row: Message): boolean {
  if (context.writes.tombstones.messages.isRecycledId(row.id, row.createdAt)) return true;
  const held = context.cache.message(id, row.id);
  return held !== null && isOfAnotherTime(held.createdAt, row.createdAt) && !isSame(compareText(held.text, row.text));
}

/**
 * Whether the message that answers a POST is new although its id is known. It is not where the server answers with an
 * earlier message that it takes for the same one. An id that no list has shown yet may be a provisional id, which such
 * a server puts into every answer.
 */
export function isNewUnderOldId(context: Services, id: ConversationId, answered: Message): boolean {
  const held = context.cache.message(id, answered.id);
  if (held === null) return true;
  return !context.unlisted.hasSend(answered.id) && isOfAnotherTime(held.createdAt, answered.createdAt);
}
