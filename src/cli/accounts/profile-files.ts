/** Finds the files of a profile, and locks them while the profile is renamed or removed. */
import { existsSync, rmSync } from 'node:fs';
import { KeyringError } from '../../config/keyring.ts';
import { type Paths, type ProfileDirectories, profileDirectories } from '../../config/paths.ts';
import { forgetToken, type Holder } from '../../config/token-store.ts';
import { normaliseBaseUrl } from '../../protocol/base-url.ts';
import { acquireSenderLock } from '../../storage/outbox/sender-lock.ts';
import { ExitError, exitCodes, messageOf } from '../process/exit.ts';
import type { FindAccountOptions } from '../sign-in/find-account.ts';

export interface ProfileFiles {
  readonly holder: Holder;
  readonly directories: ProfileDirectories;
}

interface Named {
  readonly name: string;
  readonly server: string;
}

/** @throws ExitError for an address that is none */
export function filesOf(paths: Paths, profile: Named): ProfileFiles {
  const base = normaliseBaseUrl(profile.server, { insecureHttp: true });
  if ('problem' in base) {
    const { name } = profile;
    const remedy = `correct it with msg-tui config set profiles.${name}.server, or remove it with msg-tui profiles remove ${name}`;
    throw new ExitError(exitCodes.usage, `profile "${name}": ${base.problem}; ${remedy}`);
  }
  const holder = { server: base.url, profile: profile.name };
  return { holder, directories: profileDirectories(paths, holder) };
}

/** Whether the address is none, so that no account can have been opened with it: files are named after addresses. */
export const hasNoFiles = ({ server }: Named): boolean => 'problem' in normaliseBaseUrl(server, { insecureHttp: true });

/**
 * Locks the files of the profile and returns the function that unlocks them.
 * @param nothingDone begins the sentence: `nothing was removed`
 * @throws ExitError while another msg-tui is open on it
 */
export function lockProfile({ holder, directories }: ProfileFiles, nothingDone: string): () => void {
  if (!existsSync(directories.data)) return () => undefined;
  const lock = acquireSenderLock(directories.data);
  if ('release' in lock) return lock.release;
  const which = lock.heldBy === null ? 'another msg-tui' : `another msg-tui (process ${lock.heldBy})`;
  const problem = `${nothingDone}: ${which} uses the profile "${holder.profile}"; quit it first`;
  throw new ExitError(exitCodes.failure, problem);
}

/** @returns where the token was; null for none. @throws ExitError where the keyring keeps it */
export async function removeTokenOfProfile(
  { holder }: ProfileFiles,
  { paths, keyring }: Pick<FindAccountOptions, 'paths' | 'keyring'>,
): Promise<'keyring' | 'file' | null> {
  try {
    return await forgetToken({ paths, keyring }, holder);
  } catch (error) {
    if (!(error instanceof KeyringError)) throw error;
    throw new ExitError(
      exitCodes.failure,
      `nothing was removed: the keyring keeps the token (${error.message}); unlock it and run this again`,
    );
  }
}

/** Removes the directory; returns false where it was not there. @throws ExitError */
export function removeDirectory(directory: string): boolean {
  if (!existsSync(directory)) return false;
  try {
    rmSync(directory, { recursive: true });
    return true;
  } catch (error) {
    throw new ExitError(exitCodes.failure, `${directory} cannot be removed: ${messageOf(error)}`);
  }
}
