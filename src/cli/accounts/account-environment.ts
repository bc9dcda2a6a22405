/** Makes the environment of a command that uses an account: flags take precedence over variables. */
import { type AccountFlags, problemOfFlags, withAccountFlags } from '../../config/account-flags.ts';
import { type Environment, readEnvironment } from '../../config/environment.ts';
import { ExitError, exitCodes } from '../exit.ts';

/** @throws ExitError for flags that contradict each other; ConfigError for a token file that cannot be used */
export function accountEnvironment(flags: AccountFlags): Environment {
  const problem = problemOfFlags(flags);
  if (problem !== null) throw new ExitError(exitCodes.usage, problem);
  return withAccountFlags(readEnvironment(), flags);
}
