/** Takes over what an answer for one conversation says of it. Rows of the list are applied by the readings of the list. */
import type { Conversation } from '../../protocol/types.ts';
import { applyConversation } from '../../state/cache/conversations.ts';
import type { Transition } from '../../state/store.ts';
import { type Services, stateOf } from '../services/services.ts';

/**
 * Saves the conversation to the cache, and returns the transition that brings it into the state. When it was last active
 * stays as the list has said: the list would not say it as news any more, and its messages would not be asked for.
 */
export function takeConversation(context: Services, answer: Conversation): Transition {
  const held = stateOf(context).cache.conversations.get(answer.id);
  const conversation = held === undefined ? answer : { ...answer, lastActiveAt: held.lastActiveAt };
  context.cache.saveConversations([conversation]);
  return applyConversation(conversation);
}
