/** Finds the files of the account for commands that only read them; neither server nor keyring is asked. */
import { systemKeyring } from '../../config/keyring.ts';
import { currentPaths, type ProfileDirectories } from '../../config/paths.ts';
import { accountEnvironment } from '../accounts/account-environment.ts';
import { ExitError, exitCodes, signIn } from '../exit.ts';
import type { AccountOptions } from '../headless/account-options.ts';
import { lookAtAccount } from '../health/account.ts';

/** @throws ExitError (3) where there is no account whose files could be found */
export async function findDirectories(options: AccountOptions): Promise<ProfileDirectories> {
  const environment = accountEnvironment(options);
  const insecureHttp = options.insecureHttp === true;
  const looked = { environment, paths: currentPaths(), insecureHttp, keyring: systemKeyring, needsToken: false };
  const { directories, checks } = await lookAtAccount(looked);
  if (directories !== null) return directories;
  const why = checks.find(({ verdict }) => verdict === 'wrong')?.text;
  throw new ExitError(exitCodes.notSignedIn, why === undefined ? signIn : `not signed in: ${why}; see msg-tui doctor`);
}
