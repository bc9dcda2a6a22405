/**
 * Remembers, as digests, which tokens have been used for a configured profile, and finds the files of a profile by its
 * token. The service does not say who owns a token, and one that is new here may belong to another account
 * (docs/decisions/2026-11-environment-account.md).
 */
import { createHash } from 'node:crypto';
import { accountDirectories, readAccount } from './environment-accounts.ts';
import { readNote, writeNote } from './notes.ts';
import { type Paths, type ProfileDirectories, profileDirectories } from './paths.ts';

const file = 'tokens.json';
/** The oldest ones are asked about again. */
const mostKept = 50;

const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex');

export const isKnownToken = (directory: string, token: string): boolean =>
  readKnown(directory).includes(digestOf(token));

export function rememberToken(directory: string, token: string): void {
  const known = readKnown(directory);
  const digest = digestOf(token);
  if (!known.includes(digest)) writeNote(directory, file, JSON.stringify([...known, digest].slice(-mostKept)));
}

/**
 * Returns where the files of a profile are. Where the user has said that the token belongs to another account, these
 * are the files of that account.
 */
export function directoriesOfProfile(
  paths: Pick<Paths, 'data' | 'cache'>,
  { server, profile }: { readonly server: string; readonly profile: string },
  token: string | null,
): ProfileDirectories {
  const own = profileDirectories(paths, { server, profile });
  if (token === null || isKnownToken(own.data, token)) return own;
  const other = profileDirectories(paths, { server, token });
  return readAccount(other.data) === null ? own : accountDirectories(other, server);
}

function readKnown(directory: string): readonly string[] {
  const list: unknown = readNote(directory, file, JSON.parse);
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}
