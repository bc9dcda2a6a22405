/** Determines the profile that a command uses. */
import type { Environment } from '../../config/environment.ts';
import { UnknownProfile } from '../../config/errors.ts';
import type { Config } from '../../config/file.ts';
import { loadProfile, type Profile } from '../../config/profiles.ts';
import { ExitError, exitCodes } from '../exit.ts';

/** The profile that the flags, the environment and config.toml choose. @throws ExitError for a name that no profile has */
export function chosenProfile(config: Config, environment: Pick<Environment, 'server' | 'profile'>): Profile | null {
  try {
    return loadProfile(config, environment);
  } catch (error) {
    if (!(error instanceof UnknownProfile)) throw error;
    throw new ExitError(exitCodes.usage, error.message, { name: 'unknown_profile' });
  }
}
