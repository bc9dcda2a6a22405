/** Finds the message that a word means, and asks the server where the cache does not have it. */
import type { ConversationId, Message } from '../../protocol/types.ts';
import type { AppState } from '../../state/model/app-state.ts';
import type { Account } from '../headless/account.ts';
import { matchMessage, type Whose } from '../names/messages.ts';
import { requireMessage } from '../names/one-or-error.ts';
import { ExitError, exitCodes, isNotFound } from '../process/exit.ts';
import { lacksNewest } from './missing.ts';

/** How many of the newest messages are searched. */
const mostSearched = 1_000;

/**
 * Reads the server for `last`, the newest message of `whose`, and for ids that are not cached. Rejects as
 * `lookUpConversation` does.
 *
 * With `isCacheEnough`, `last` is looked for in the cache where the server is not reached.
 */
export async function lookUpMessage(
  account: Account,
  conversationId: ConversationId,
  typed: string,
  whose: Whose,
  { isCacheEnough = false }: { readonly isCacheEnough?: boolean } = {},
): Promise<Message> {
  const { session, store } = account;
  const cached = session.message(conversationId, typed);
  if (cached !== null) return cached;
  const messages = async (isFresh: boolean): Promise<readonly Message[]> => {
    if (isFresh) await account.fetch((read) => read.thread(conversationId));
    if (typed === 'last' && lacksNewest(account, conversationId)) throw new ExitError(exitCodes.failure, noLastText);
    // Not the window that the chat opens, which may end before the newest message: it begins where unread begins.
    return session.history(conversationId, 'newest', mostSearched).messages;
  };
  try {
    return requireMessage(store.getState(), await messages(typed === 'last'), typed, whose);
  } catch (error) {
    const isOffline = error instanceof ExitError && error.code === exitCodes.notReached;
    if (isOffline && isCacheEnough) return ofCache(store.getState(), await messages(false), typed, whose, error);
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

const noLastText =
  '"last" is not known: this server gives no way to the newest messages of this conversation; give the id of the message';

/** @throws the error of the request where the cache does not have the message */
function ofCache(
  state: AppState,
  messages: readonly Message[],
  typed: string,
  whose: Whose,
  offline: ExitError,
): Message {
  const match = matchMessage(state, messages, typed, whose);
  if (match.kind === 'one') return match.item;
  throw offline;
}
