/** Asks whether a token that is new here belongs to the account whose texts and conversations are kept here already. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { accountDirectories, linkAccount, otherAccounts, readAccount, writeAccount } from '../config/accounts.ts';
import { directoriesOfProfile, isKnownToken, rememberToken } from '../config/known-tokens.ts';
import { type Paths, type ProfileDirectories, profileDirectories } from '../config/paths.ts';
import { countUnsentIn } from '../storage/inspect.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';
import { ExitError, exitCodes } from './exit.ts';

/** Returns true only for a clear yes. */
export type Ask = (question: string) => Promise<boolean>;

/**
 * Asks the user whether it is the same account, before unsent texts of an earlier token are shown or sent. Without a user
 * to ask (null) nothing is decided.
 */
export async function settleAccount(
  own: ProfileDirectories,
  server: string,
  ask: Ask | null,
): Promise<ProfileDirectories> {
  if (readAccount(own.data) !== null) return accountDirectories(own, server);
  for (const directory of otherAccounts(own.data, server)) {
    const count = countUnsentIn(directory);
    if (count === 0) continue;
    if (ask === null) return own;
    if (!(await ask(questionAbout(count, server)))) continue;
    linkAccount(own.data, server, directory);
    return accountDirectories(own, server);
  }
  writeAccount(own.data, { server, sameAs: null });
  return own;
}

/** @returns the question for a token that was not used for this profile before; null when there is nothing to ask */
export function questionOfProfile(directory: string, server: string, token: string): string | null {
  if (isKnownToken(directory, token) || !isInUse(directory)) return null;
  const count = countUnsentIn(directory);
  return count > 0
    ? questionAbout(count, server)
    : `The conversations of ${server} were read with another token here.\nIs this token for the same account? [y/N] `;
}

/**
 * Asks about a token that the environment gives to a configured profile. One of another account has other directories.
 *
 * @throws ExitError where the token is new for a profile with unsent texts and nobody can be asked: the account of the token
 * would send what the other one has written
 */
export async function settleProfile(
  paths: Pick<Paths, 'data' | 'cache'>,
  holder: { readonly server: string; readonly profile: string },
  token: string,
  ask: Ask | null,
): Promise<ProfileDirectories> {
  const { server } = holder;
  const own = profileDirectories(paths, holder);
  const found = directoriesOfProfile(paths, holder, token);
  if (found.data !== own.data) return found;
  const question = questionOfProfile(own.data, server, token);
  if (question === null || (ask !== null && (await ask(question)))) {
    rememberToken(own.data, token);
    return own;
  }
  if (ask === null) {
    if (countUnsentIn(own.data) > 0) throw new ExitError(exitCodes.notSignedIn, unaskedText(holder.profile));
    return own;
  }
  return settleAccount(profileDirectories(paths, { server, token }), server, ask);
}

/**
 * For a token that comes once the chat is open, when nobody can be asked: returns the function that hands the token on, or
 * throws where it may be another account's. To be called before the files of the profile are opened.
 *
 * A new token is taken where `confirm` finds the same account, and no earlier text waits that it could send.
 */
export function lateTokenCheck(
  directory: string,
  profile: string,
  confirm: (token: string, signal: AbortSignal) => Promise<boolean>,
): (token: string, signal: AbortSignal) => Promise<string> {
  const isNew = !isInUse(directory);
  const hasUnsent = !isNew && countUnsentIn(directory) > 0;
  return async (token, signal) => {
    const isAccepted = isNew || isKnownToken(directory, token) || (!hasUnsent && (await confirm(token, signal)));
    if (!isAccepted) throw new Error(newTokenProblem(profile, hasUnsent));
    rememberToken(directory, token);
    return token;
  };
}

const unaskedText = (profile: string): string =>
  `this token was not used for the profile "${profile}" before, and may be for another account. If it is for the same one, sign in with it: msg-tui login --profile ${profile} --same-account, with --token-file FILE if it is in a file`;

const newTokenProblem = (profile: string, hasUnsent: boolean): string =>
  `the token command gave a token that is new for the profile "${profile}", ${hasUnsent ? 'which has unsent texts' : 'and the conversations do not show whose it is'}. If it is for the same account, run: msg-tui login --profile ${profile}`;

const isInUse = (directory: string): boolean => existsSync(join(directory, 'outbox.db'));

function questionAbout(count: number, server: string): string {
  const texts = count === 1 ? 'One unsent text was' : `${count} unsent texts were`;
  return `${texts} written with another token for ${server}.\nIs this token for the same account? [y/N] `;
}

/** Asks on the terminal before the chat takes it over, where input comes by lines. */
export const askOnTerminal: Ask = async (question) => {
  const { stdin, stdout } = process;
  stdout.write(question.split('\n').map(sanitizeLine).join('\n'));
  const line = await new Promise<string>((resolve) => {
    stdin.once('data', (data) => resolve(String(data)));
    stdin.once('end', () => resolve(''));
  });
  stdin.pause();
  return /^y(es)?$/i.test(line.trim());
};
