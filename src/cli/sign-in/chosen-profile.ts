/** Determines the account that a command uses: flags take precedence over variables, and these over config.toml. */
import { type AccountFlags, problemOfFlags, withAccountFlags } from '../../config/account-flags.ts';
import { type Environment, readEnvironment } from '../../config/environment.ts';
import { ConfigError, UnknownProfile } from '../../config/errors.ts';
import type { Config } from '../../config/file.ts';
import { loadProfile, type Profile } from '../../config/profiles.ts';
import { normaliseBaseUrl } from '../../protocol/base-url.ts';
import { ExitError, exitCodes } from '../process/exit.ts';

/** The profile that the flags, the environment and config.toml choose. @throws ExitError for a name that no profile has */
export function chosenProfile(config: Config, environment: Pick<Environment, 'server' | 'profile'>): Profile | null {
  try {
    return loadProfile(config, environment);
  } catch (error) {
    if (!(error instanceof UnknownProfile)) throw error;
    throw new ExitError(exitCodes.usage, error.message, { name: 'unknown_profile' });
  }
}

/**
 * The address of the server of a profile.
 * @throws ExitError for one that cannot be used, with the place where it is written: the variable may have been set long before
 */
export function addressOf(
  { source, name, server }: Pick<Profile, 'source' | 'name' | 'server'>,
  insecureHttp: boolean,
): string {
  const base = normaliseBaseUrl(server, { insecureHttp });
  if ('url' in base) return base.url;
  const place = source === 'environment' ? 'MSG_TUI_SERVER' : `profile "${name}"`;
  throw new ExitError(exitCodes.usage, `${place}: ${base.problem}`);
}

/** @throws ExitError for flags that contradict each other, and for a token file that cannot be used, as for a token */
export function accountEnvironment(flags: AccountFlags): Environment {
  const problem = problemOfFlags(flags);
  if (problem !== null) throw new ExitError(exitCodes.usage, problem);
  try {
    return withAccountFlags(readEnvironment(), flags);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ExitError(exitCodes.notSignedIn, error.message);
  }
}
