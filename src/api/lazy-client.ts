/** A client that is created with its first call, once its token has been read. */
import { ApiError, noTokenCode } from './errors.ts';
import type { Client } from './operations.ts';

/** A token that is read from the keyring or a file while the program runs. */
export interface LateToken {
  /**
   * Rejects with an error whose message says where the token was expected and what to do, or with the `ApiError` of a
   * request that was needed to decide about the token. May be called again.
   */
  read(signal: AbortSignal): Promise<string>;
}

/** @param make creates the client from the token; it is called once, unless reading the token or `make` fails */
export function createLazyClient(token: string | LateToken, make: (token: string) => Promise<Client>): Client {
  const closing = new AbortController();
  let making: Promise<Client> | null = null;
  const client = (): Promise<Client> => {
    making ??= readToken(token, closing.signal)
      .then(make)
      .catch((error: unknown) => {
        // The next call tries again: the user may have unlocked the keyring by then.
        making = null;
        throw error;
      });
    return making;
  };
  return {
    listMessages: async (...call) => (await client()).listMessages(...call),
    sendMessage: async (...call) => (await client()).sendMessage(...call),
    retrieveMessage: async (...call) => (await client()).retrieveMessage(...call),
    updateMessage: async (...call) => (await client()).updateMessage(...call),
    deleteMessage: async (...call) => (await client()).deleteMessage(...call),
    listConversations: async (...call) => (await client()).listConversations(...call),
    createConversation: async (...call) => (await client()).createConversation(...call),
    retrieveConversation: async (...call) => (await client()).retrieveConversation(...call),
    updateConversation: async (...call) => (await client()).updateConversation(...call),
    deleteConversation: async (...call) => (await client()).deleteConversation(...call),
    close: async () => {
      closing.abort();
      const made = await making?.catch(() => null);
      await made?.close();
    },
  };
}

/** Rejects with `ApiError`; nothing was sent. */
async function readToken(token: string | LateToken, signal: AbortSignal): Promise<string> {
  if (typeof token === 'string') return token;
  try {
    return await token.read(signal);
  } catch (error) {
    if (error instanceof ApiError) throw new ApiError({ ...error.facts, outcome: 'not-applied' });
    const [kind, code] = signal.aborted ? (['aborted', null] as const) : (['unauthorized', noTokenCode] as const);
    const message = error instanceof Error ? error.message : String(error);
    throw new ApiError({ kind, code, message, outcome: 'not-applied' });
  }
}
