/** Follows conversations by the polls of the engine, for `tail` and `wait`. Nothing is sent and nothing marked as read. */
import type { ConversationId } from '../../protocol/types.ts';
import type { MergedPage } from '../../state/model/incoming.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import type { Account } from '../headless/account.ts';
import { withNewToken } from '../headless/api-exit.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import { type Followed, Follower } from './follower.ts';
import type { Open } from './open.ts';
import { catchUp, refresh } from './refresh.ts';

export interface Following {
  readonly account: Account;
  readonly follower: Follower;
  /** Begins to poll, and calls `take` with everything that is new or changed. */
  begin(take: (followed: Followed) => void): void;
}

/**
 * @param open opens the account, and listens to its pages
 * @param choose resolves to the conversations to follow; null: all of them
 * @param run resolves when the command is over
 */
export function following(
  open: Open,
  choose: (account: Account) => Promise<ReadonlySet<ConversationId> | null>,
  run: (following: Following, ids: ReadonlySet<ConversationId> | null) => Promise<void>,
): Promise<void> {
  let onPage = (_: MergedPage): void => undefined;
  const listen = (page: MergedPage): void => onPage(page);
  return open(
    async (account) => {
      const ids = await choose(account);
      // Without an answer the cached state is the beginning.
      await refresh(account, () => catchUp(account, ids));
      const follower = new Follower(account.store.getState().cache, Date.now());
      const begin = (take: (followed: Followed) => void): void => {
        onPage = (page) => {
          if (ids !== null && !ids.has(page.conversationId)) return;
          for (const one of follower.take(page)) take(one);
        };
        const [only] = ids ?? [];
        // Changes of older messages are seen only where the pages of a conversation are read again and again.
        if (only !== undefined && ids?.size === 1) account.session.engine.openConversation(only, { isPeek: true });
        void account.session.start();
      };
      await run({ account, follower, begin }, ids);
    },
    { onPage: listen },
  );
}

/** Calls `report` when the connection changes, and `fail` when the server refuses the token. */
export function watchConnection(
  { store }: Account,
  report: (line: SafeText) => void,
  fail: (error: ExitError) => void,
): () => void {
  return store.subscribe((state, previous) => {
    const { status, reason } = state.view.connection;
    const before = previous.view.connection.status;
    if (status === before) return;
    const why = sanitizeLine((reason ?? '').replace(/\.$/, ''));
    if (status === 'unauthorized' || status === 'other-account')
      fail(new ExitError(exitCodes.notSignedIn, withNewToken(reason ?? 'the server refused the token')));
    else if (status === 'online' && before !== 'starting') report(literal('the server answers again'));
    else if (status !== 'online' && status !== 'starting') report(safe`the server is not reached: ${why}`);
  });
}
