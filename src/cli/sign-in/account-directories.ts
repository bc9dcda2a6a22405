/** Finds the files of an account without the network, the keyring or a question. */

import type { Environment } from '../../config/environment.ts';
import { accountDirectories } from '../../config/environment-accounts.ts';
import { directoriesOfProfile } from '../../config/known-tokens.ts';
import { type Paths, type ProfileDirectories, profileDirectories } from '../../config/paths.ts';
import { type Profile, profileName } from '../../config/profiles.ts';
import { addressOf } from './chosen-profile.ts';

/**
 * The directories that the chat uses; null where they are named after a token that is not known. Rejects with ExitError for
 * an address that cannot be used.
 */
export async function directoriesOfAccount(
  paths: Paths,
  environment: Environment,
  profile: Profile,
): Promise<ProfileDirectories | null> {
  const server = addressOf(profile, true);
  if (profile.source === 'config')
    return directoriesOfProfile(paths, { server, profile: profile.name }, environment.token);
  const token = environment.token ?? (await savedToken(paths, server));
  return token === null ? null : accountDirectories(profileDirectories(paths, { server, token }), server);
}

/** The saved token; null where it is in the keyring, which may make the user wait. */
async function savedToken(paths: Paths, server: string): Promise<string | null> {
  const { findSavedToken } = await import('../../config/token-store.ts');
  const kept = findSavedToken({ paths }, { server, profile: profileName(server) });
  return kept !== null && 'token' in kept ? kept.token : null;
}
