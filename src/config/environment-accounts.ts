/**
 * Keeps, in the directory of each account that the environment names, the server of the account, and where its files are
 * if it had them under an earlier token (docs/decisions/2026-11-environment-account.md).
 */
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readNote, writeNote } from './notes.ts';
import type { ProfileDirectories } from './paths.ts';

const file = 'account.json';

/** What is noted in the directory of an account that the environment named. */
interface AccountNote {
  readonly server: string;
  /** The name of the directory that this account had under an earlier token; null when it has its own. */
  readonly sameAs: string | null;
}

/** Null when the token of this directory has not been used here yet, or the file is no proper one. */
export const readAccount = (directory: string): AccountNote | null =>
  readNote(directory, file, (text) => {
    const { server, sameAs = null } = JSON.parse(text) as Partial<AccountNote>;
    const isName = sameAs === null || /^[0-9a-f]{32}$/.test(String(sameAs));
    return typeof server === 'string' && isName ? { server, sameAs } : null;
  });

export const writeAccount = (directory: string, account: AccountNote): void =>
  writeNote(directory, file, JSON.stringify(account));

/** Returns the data directories of other accounts of this server that the environment named in earlier runs. */
export function earlierAccounts(own: string, server: string): readonly string[] {
  return namesIn(dirname(own))
    .map((name) => join(dirname(own), name))
    .filter((directory) => directory !== own)
    .filter((directory) => {
      const account = readAccount(directory);
      return account?.server === server && account.sameAs === null;
    });
}

/** Returns where the account's files are: where they were before its token changed, if the user has said so. */
export function accountDirectories(directories: ProfileDirectories, server: string): ProfileDirectories {
  const name = readAccount(directories.data)?.sameAs ?? null;
  if (name === null) return directories;
  const data = join(dirname(directories.data), name);
  // A link to a directory that is gone, or to an account of another server, does not count.
  if (readAccount(data)?.server !== server) return directories;
  return { data, cache: join(dirname(directories.cache), name) };
}

export const linkAccount = (directory: string, server: string, to: string): void =>
  writeAccount(directory, { server, sameAs: basename(to) });

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
