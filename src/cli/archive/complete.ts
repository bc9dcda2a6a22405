/** Fetches what the cache lacks of conversations before they are exported (`--complete`). */
import type { ConversationId } from '../../protocol/types.ts';
import { selectConversationName } from '../../state/select/names.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { ExitError, exitCodes } from '../exit.ts';
import type { Account } from '../headless/account.ts';
import { processOutput } from '../output/print.ts';

/**
 * Reads the list, and the history of each conversation to its beginning. What could not be fetched is reported; the
 * export says which conversations are incomplete. Rejects with ExitError where the server is not reached at all.
 */
export async function completeHistory(
  account: Account,
  conversations: readonly ConversationId[] | null,
): Promise<void> {
  const { store, session, signal, deadline } = account;
  await account.fetch((read) => read.list());
  const ids = conversations ?? [...store.getState().cache.conversations.keys()];
  for (const [index, id] of ids.entries()) {
    await account.fetch((read) => read.thread(id));
    const isWanted = (): boolean => !signal.aborted;
    const fetching = session.engine.fetchBack(id, { kind: 'first' }, { isWanted, onPage: () => undefined });
    const fetched = await Promise.race([fetching, deadline.passed]);
    if (signal.aborted) return;
    const trouble = fetched?.trouble ?? null;
    if (trouble === null) continue;
    const name = selectConversationName(store.getState(), id);
    const text = `${name} (${index + 1} of ${ids.length}): the older messages were not fetched: ${trouble}`;
    processOutput().remark(sanitizeLine(text));
    if (store.getState().view.connection.status === 'unauthorized')
      throw new ExitError(exitCodes.notSignedIn, 'the server refused the token');
  }
}
