/** Finds the message that a word means, and asks the server where the cache does not have it. */
import type { ConversationId, Message } from '../../protocol/types.ts';
import { ExitError, exitCodes } from '../exit.ts';
import type { Account } from '../headless/account.ts';
import type { Whose } from '../names/messages.ts';
import { requireMessage } from '../names/required.ts';

/**
 * `last`, the newest message of `whose`, and ids that are not cached are looked for on the server. Rejects as `lookUpConversation` does.
 */
export async function lookUpMessage(
  account: Account,
  conversationId: ConversationId,
  typed: string,
  whose: Whose,
): Promise<Message> {
  const { session, store } = account;
  const cached = session.message(conversationId, typed);
  if (cached !== null) return cached;
  const messages = async (isFresh: boolean): Promise<readonly Message[]> => {
    if (isFresh) await account.fetch((read) => read.thread(conversationId));
    // A peek: what a script looks at is not read by the user.
    session.engine.openConversation(conversationId, { isPeek: true });
    return store.getState().cache.threads.get(conversationId)?.messages ?? [];
  };
  try {
    return requireMessage(store.getState(), await messages(typed === 'last'), typed, whose);
  } catch (error) {
    if (!isNotFound(error) || typed === 'last') throw error;
  }
  try {
    return requireMessage(store.getState(), await messages(true), typed, whose);
  } catch (error) {
    const found = isNotFound(error) ? await account.fetch((read) => read.message(typed)) : null;
    if (found === null || found.conversationId !== conversationId) throw error;
    return found;
  }
}

const isNotFound = (error: unknown): boolean => error instanceof ExitError && error.code === exitCodes.notFound;
