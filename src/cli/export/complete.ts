/** Fetches what the cache lacks of conversations before they are exported (`--complete`). */
import type { ConversationId, Millis } from '../../protocol/types.ts';
import type { Session } from '../../session.ts';
import { selectConversationName } from '../../state/select/names.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal } from '../../text/safe-text.ts';
import { beforeAll } from '../archive/entries.ts';
import type { Account } from '../headless/account.ts';
import { withNewToken } from '../headless/api-exit.ts';
import { type Output, processOutput } from '../output/print.ts';
import { ExitError, exitCodes, isRefusedAlone } from '../process/exit.ts';

/**
 * Reads the list, and the history of each conversation to its beginning, with what is missing in between. Reports what
 * could not be fetched; the export says which conversations are incomplete. Rejects with ExitError where the server is
 * not reached at all.
 * @param since what is older is not exported, and so not fetched
 */
export async function completeHistory(
  account: Account,
  conversations: readonly ConversationId[] | null,
  since: Millis | null = null,
  output: Pick<Output, 'remark'> = processOutput(),
): Promise<void> {
  const { store, session, signal, deadline } = account;
  await account.fetch((read) => read.list());
  if (conversations === null && store.getState().view.connection.listRest === 'missing') output.remark(cutList);
  const ids = conversations ?? [...store.getState().cache.conversations.keys()];
  for (const [index, id] of ids.entries()) {
    const refusal = await account
      .fetch((read) => read.thread(id))
      .then(
        () => null,
        (error: unknown) => refusedAlone(error, conversations === null),
      );
    const isWanted = (): boolean => !signal.aborted;
    const fetching = refusal ?? fetchMissing(session, id, since, isWanted);
    const unreached = store.getState().view.connection.failures.get(id) ?? null;
    const trouble = (await Promise.race([fetching, deadline.passed])) ?? unreached;
    // The signal ends the command, which then leaves the files as they are.
    if (signal.aborted) return new Promise(() => undefined);
    if (trouble === null) continue;
    const name = selectConversationName(store.getState(), id);
    output.remark(sanitizeLine(`${name} (${index + 1} of ${ids.length}): ${trouble}`));
    if (store.getState().view.connection.status === 'unauthorized')
      throw new ExitError(exitCodes.notSignedIn, withNewToken('the server refused the token'));
  }
}

/**
 * Why the server gives nothing of a conversation: if all are exported, the others are exported nevertheless. @throws any
 * other error
 */
function refusedAlone(error: unknown, isOneOfAll: boolean): string {
  if (isRefusedAlone(error) && isOneOfAll) return error.message;
  throw error;
}

const cutList = literal('the server does not give the whole list of conversations: some of them may be missing');

/** Resolves to a text that says what was not fetched and why; null when nothing is missing any more. */
async function fetchMissing(
  session: Session,
  id: ConversationId,
  since: Millis | null,
  isWanted: () => boolean,
): Promise<string | null> {
  const { engine } = session;
  const gaps = await engine.closeGaps(id, { isWanted, since });
  if (gaps !== null) return `messages between others were not fetched: ${gaps}`;
  const aim = since === null ? ({ kind: 'first' } as const) : ({ kind: 'date', at: since } as const);
  const back = await engine.fetchBack(id, aim, { isWanted, onPage: () => undefined });
  if (back !== null && back.trouble !== null) return `the older messages were not fetched: ${back.trouble}`;
  if (session.reach(id).older !== 'unreachable' || isReached(session, id, since)) return null;
  return 'older messages cannot be fetched from this server';
}

/** Whether a message is cached that is older than what is exported. */
function isReached(session: Session, id: ConversationId, since: Millis | null): boolean {
  const [oldest] = session.history(id, { after: beforeAll }, 1).messages;
  const at = oldest?.createdAt ?? null;
  return since !== null && at !== null && at < since;
}
