/** Fresh data where the server answers; the cached copy, its age and exit code 4 where it does not. */

import type { Reads } from '../../sync/engine.ts';
import { ago } from '../../text/time.ts';
import { ExitError, exitCodes } from '../exit.ts';
import type { Account } from '../headless/account.ts';

/**
 * Asks the server. Resolves to null, or to the error with which the command ends after it has printed the cached copy.
 * Rejects where the server was reached and refuses.
 */
export async function refresh(account: Account, ask: (read: Reads) => Promise<void>): Promise<ExitError | null> {
  try {
    await account.fetch(ask);
    return null;
  } catch (error) {
    if (!(error instanceof ExitError) || error.code !== exitCodes.notReached) throw error;
    return new ExitError(exitCodes.notReached, `${error.message.replace(/\.$/, '')}; ${copyOf(account)}`);
  }
}

function copyOf({ session }: Account): string {
  const at = session.listReadAt();
  return at === null
    ? 'this is what is cached'
    : `this is what is cached; the list was last read ${ago(at, Date.now())}`;
}
