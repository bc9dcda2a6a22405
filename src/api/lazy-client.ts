/** A client that is made with its first call, and that waits for its token when that is still to be read. */
import { ApiError, noTokenCode } from './errors.ts';
import type { Client } from './operations.ts';

/** A token that is read from where it lies while the program runs. */
export interface LateToken {
  /** Fails with an error whose message says for people where it was expected and what to do. May be called again. */
  read(signal: AbortSignal): Promise<string>;
}

/** @param make is handed the token, once */
export function createLazyClient(token: string | LateToken, make: (token: string) => Promise<Client>): Client {
  const closing = new AbortController();
  let making: Promise<Client> | null = null;
  const client = (): Promise<Client> => {
    making ??= readToken(token, closing.signal)
      .then(make)
      .catch((error: unknown) => {
        // Who unlocks it later asks again.
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

/** Throws `ApiError`: nothing has left. */
async function readToken(token: string | LateToken, signal: AbortSignal): Promise<string> {
  if (typeof token === 'string') return token;
  try {
    return await token.read(signal);
  } catch (error) {
    const [kind, code] = signal.aborted ? (['aborted', null] as const) : (['unauthorized', noTokenCode] as const);
    const message = error instanceof Error ? error.message : String(error);
    throw new ApiError({ kind, code, message, status: 0, outcome: 'not-applied', requestId: null, retryAfterMs: null });
  }
}
