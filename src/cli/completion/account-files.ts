/** Finds the account whose cached names are offered. It reads files alone, and reports nothing that is wrong with them. */
import { type Config, loadConfig } from '../../config/file.ts';
import { currentPaths, type ProfileDirectories } from '../../config/paths.ts';
import { accountEnvironment } from '../accounts/account-environment.ts';
import { chosenProfile } from '../accounts/chosen-profile.ts';
import { directoriesOfAccount } from '../headless/account-directories.ts';

export interface Known {
  readonly config: Config | null;
  readonly configFile: string;
  /** Null where no account is set up, or its directory is named after a token that is not known. */
  readonly files: ProfileDirectories | null;
}

/** @param name the name of the profile on the command line */
export async function knownAccount(name: string | null): Promise<Known> {
  const paths = currentPaths();
  const { configFile } = paths;
  let config: Config | null = null;
  try {
    config = await loadConfig(configFile);
    const environment = accountEnvironment(name === null ? {} : { profile: name });
    const profile = chosenProfile(config, environment);
    return { config, configFile, files: profile && (await directoriesOfAccount(paths, environment, profile)) };
  } catch {
    // What is wrong is reported by the command itself.
    return { config, configFile, files: null };
  }
}
