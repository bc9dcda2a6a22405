/** The conversation and the message that the words of a command mean, with a look at the server where that is needed. */
import type { Conversation, ConversationId, Message } from '../../protocol/types.ts';
import { ExitError, exitCodes } from '../exit.ts';
import type { Account } from '../headless/account.ts';
import { requireConversation, requireMessage } from '../names/required.ts';

/**
 * What is cached decides; the list is asked for only where nothing there has that name, as a script that writes must
 * work without the server. Rejects with ExitError: 2 ambiguous, 5 not found, 4 where the server could not be asked.
 */
export async function chooseConversation(account: Account, typed: string): Promise<Conversation> {
  try {
    return requireConversation(account.store.getState(), typed);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  await account.fetch((read) => read.list());
  return requireConversation(account.store.getState(), typed);
}

/**
 * `last` and ids that are not cached are looked for on the server. Rejects as `chooseConversation` does.
 */
export async function chooseMessage(account: Account, conversationId: ConversationId, typed: string): Promise<Message> {
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
    return requireMessage(store.getState(), await messages(typed === 'last'), typed);
  } catch (error) {
    if (!isNotFound(error) || typed === 'last') throw error;
  }
  try {
    return requireMessage(store.getState(), await messages(true), typed);
  } catch (error) {
    const found = isNotFound(error) ? await account.fetch((read) => read.message(typed)) : null;
    if (found === null || found.conversationId !== conversationId) throw error;
    return found;
  }
}

const isNotFound = (error: unknown): boolean => error instanceof ExitError && error.code === exitCodes.notFound;
