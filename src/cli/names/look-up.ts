/** Finds the conversation that a name means, and asks the server where the cache knows nobody of that name. */
import type { Contact, Conversation } from '../../protocol/types.ts';
import { activeAt } from '../../state/select/listed-conversations.ts';
import type { AppStore } from '../../state/store.ts';
import type { Reads } from '../../sync/engine/engine.ts';
import { isNotFound, isRefusedAlone } from '../process/exit.ts';
import { requireConversation, requirePerson } from './one-or-error.ts';

/** The parts of an account that are needed to find a name in its cache and to ask its server for it. */
interface AccountToAsk {
  readonly store: AppStore;
  fetch(ask: (read: Reads) => Promise<void>): Promise<void>;
}

/** The most pages that are read, besides the list, for a name that nothing has. */
const mostPages = 20;

interface LookUpOptions {
  /** The server is not asked. Default false. */
  readonly isCacheEnough?: boolean;
}

/** Rejects with ExitError: 2 for an ambiguous name, 5 for one that nothing has, 4 where the server could not be asked. */
export const lookUpConversation = (
  account: AccountToAsk,
  typed: string,
  options: LookUpOptions = {},
): Promise<Conversation> => lookUp(account, () => requireConversation(account.store.getState(), typed), options);

/** Rejects as `lookUpConversation` does. */
export const lookUpPerson = (account: AccountToAsk, typed: string): Promise<Contact> =>
  lookUp(account, () => requirePerson(account.store.getState(), typed), {});

async function lookUp<T>(account: AccountToAsk, look: () => T, { isCacheEnough = false }: LookUpOptions): Promise<T> {
  try {
    return look();
  } catch (error) {
    if (isCacheEnough || !isNotFound(error)) throw error;
  }
  await account.fetch((read) => read.list());
  return lookWithNames(account, look);
}

/** The service has names in messages only: a conversation of which none was read has no name yet. */
async function lookWithNames<T>(account: AccountToAsk, look: () => T): Promise<T> {
  for (const { id } of unnamed(account)) {
    try {
      return look();
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    await account
      .fetch((read) => read.thread(id))
      .catch((error: unknown) => {
        if (!isRefusedAlone(error)) throw error;
      });
  }
  return look();
}

function unnamed({ store }: AccountToAsk): readonly Conversation[] {
  const { conversations, contacts, lastMessages } = store.getState().cache;
  return [...conversations.values()]
    .filter(({ contactId }) => contactId !== null && !contacts.has(contactId))
    .sort((a, b) => activeAt(b, lastMessages) - activeAt(a, lastMessages))
    .slice(0, mostPages);
}
