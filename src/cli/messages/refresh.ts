/** Refreshes the cache before a command prints it. Where the server does not answer, the cached copy is printed, and the command ends with 4. */

import type { ConversationId } from '../../protocol/types.ts';
import type { AppState } from '../../state/model/app-state.ts';
import { activeAt } from '../../state/select/listed-conversations.ts';
import { ago } from '../../text/time.ts';
import type { Account } from '../headless/account.ts';
import { ExitError, exitCodes, isRefusedAlone } from '../process/exit.ts';

/**
 * Asks the server. Resolves to null, or to the error with which the command ends after it has printed the cached copy.
 * Rejects where the server was reached and refuses.
 */
export async function refresh(account: Account, ask: () => Promise<unknown>): Promise<ExitError | null> {
  try {
    await ask();
    return null;
  } catch (error) {
    if (!(error instanceof ExitError) || error.code !== exitCodes.notReached) throw error;
    return new ExitError(exitCodes.notReached, `${error.message.replace(/\.$/, '')}; ${copyOf(account)}`);
  }
}

/** So many conversations with news are read in any case, as the chat does after its first frame. */
const leastRead = 20;
/** After this time no more of them are read. */
const longestCatchUpMs = 5_000;

/**
 * Reads the list, and the newest page of conversations that were active since they were read here: the list itself has
 * neither messages nor names nor what is unread. Resolves to the number of those that were left out. Rejects with ExitError.
 */
export async function catchUp(account: Account, ids: ReadonlySet<ConversationId> | null = null): Promise<number> {
  await account.fetch((read) => read.list());
  const wanted = withNews(account.store.getState(), ids);
  const end = performance.now() + longestCatchUpMs;
  for (const [index, id] of wanted.entries()) {
    if (index >= leastRead && performance.now() > end) return wanted.length - index;
    try {
      await account.fetch((read) => read.thread(id));
    } catch (error) {
      if (!isRefusedAlone(error)) throw error;
    }
  }
  return 0;
}

/**
 * The conversations that were active after the newest message that is known of them, the latest first. Unlike `findOutdated`
 * in sync it takes those within the same second, and those without a known message: a command reads each of them once only.
 */
function withNews({ cache }: AppState, ids: ReadonlySet<ConversationId> | null): readonly ConversationId[] {
  const { conversations, lastMessages } = cache;
  return [...conversations.values()]
    .filter(({ id }) => ids === null || ids.has(id))
    .filter(({ id, lastActiveAt }) => lastActiveAt !== null && lastActiveAt > (lastMessages.get(id)?.createdAt ?? 0))
    .sort((a, b) => activeAt(b, lastMessages) - activeAt(a, lastMessages))
    .map(({ id }) => id);
}

/** Says what is printed. The first run of an account has no copy from before, and may have read a part of the list. */
function copyOf({ session: { cachedAt }, store }: Account): string {
  if (cachedAt !== null) return `this is the cached copy, last changed ${ago(cachedAt, Date.now())}`;
  return store.getState().cache.conversations.size === 0
    ? 'nothing is cached'
    : 'only what was read before that is cached';
}
