/**
 * Asks whether a token that is new here belongs to the account whose texts and conversations are on this machine already.
 */

import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  accountDirectories,
  earlierAccounts,
  linkAccount,
  readAccount,
  writeAccount,
} from '../../config/environment-accounts.ts';
import { directoriesOfProfile, isKnownToken, rememberToken } from '../../config/known-tokens.ts';
import { type Paths, type ProfileDirectories, profileDirectories } from '../../config/paths.ts';
import { readConversations } from '../../storage/completion-names.ts';
import { countUnsentIn, ownContentIn } from '../../storage/inspect.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { isYes, readLine } from '../input/answer.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import type { Comparison } from './compare-account.ts';

/** Returns true only for a clear yes. */
export type Ask = (question: string) => Promise<boolean>;

/** The files that a token opens. */
export interface Settled {
  readonly files: ProfileDirectories;
  /**
   * The user said that the token is for this account. To be called once the service has shown no other one, so that the user
   * is not asked again; absent where nothing is to be compared.
   */
  readonly onCompared?: () => void;
}

/**
 * Asks the user whether it is the same account, before unsent texts of an earlier token are shown or sent. Without a user
 * to ask (null) nothing is decided.
 */
export async function settleAccount(own: ProfileDirectories, server: string, ask: Ask | null): Promise<Settled> {
  if (readAccount(own.data) !== null) return { files: accountDirectories(own, server) };
  for (const directory of earlierAccounts(own.data, server)) {
    const count = countUnsentIn(directory);
    if (count === 0) continue;
    if (ask === null) return { files: own };
    if (!(await ask(questionAbout(count, server)))) continue;
    const files = { data: directory, cache: join(dirname(own.cache), basename(directory)) };
    return { files, onCompared: () => linkAccount(own.data, server, directory) };
  }
  writeAccount(own.data, { server, sameAs: null });
  return { files: own };
}

/** Whether the files of a profile hold an account with which this token was not used before. */
export const isNewToken = (files: ProfileDirectories, token: string): boolean => accountWithout(files, token) !== null;

/** @returns the question for a token that was not used for this profile before; null when there is nothing to ask */
export function questionOfProfile(files: ProfileDirectories, server: string, token: string): string | null {
  const account = accountWithout(files, token);
  return account === null ? null : questionOf(account, server);
}

/**
 * Decides about a token that the environment gives to a configured profile. One of another account has other directories.
 *
 * @param ask null where nobody can be asked: the token is then taken unless `compare` finds another account
 * @throws ExitError where nobody can be asked, and the account of the token could be another one: with unsent texts, which
 * it would send, always; otherwise where `compare` finds another account
 */
export async function settleProfile(
  paths: Pick<Paths, 'data' | 'cache'>,
  holder: { readonly server: string; readonly profile: string },
  token: string,
  { ask, compare }: { readonly ask: Ask | null; readonly compare: () => Promise<Comparison> },
): Promise<Settled> {
  const { server } = holder;
  const own = profileDirectories(paths, holder);
  const found = directoriesOfProfile(paths, holder, token);
  if (found.data !== own.data) return { files: found };
  const account = accountWithout(own, token);
  if (account !== null && ask === null) {
    if (account.unsent > 0) throw new ExitError(exitCodes.notSignedIn, unaskedText(holder.profile));
    const comparison = await compare();
    if (comparison === 'other') throw new ExitError(exitCodes.notSignedIn, otherAccountText(holder.profile));
    // Without a proof the user is asked when the chat is opened with this token.
    if (comparison === 'unknown') return { files: own };
  } else if (account !== null && ask !== null) {
    return (await ask(questionOf(account, server)))
      ? { files: own, onCompared: () => rememberToken(own.data, token) }
      : settleAccount(profileDirectories(paths, { server, token }), server, ask);
  }
  rememberToken(own.data, token);
  return { files: own };
}

/**
 * For a token that comes once the chat is open, when nobody can be asked: returns the function that hands the token on, or
 * throws where it may be another account's. To be called before the files of the profile are opened.
 *
 * A new token is taken where `compare` finds the same account, and no earlier text waits that it could send.
 */
export function lateTokenCheck(
  files: ProfileDirectories,
  profile: string,
  compare: (token: string, signal: AbortSignal) => Promise<Comparison>,
): (token: string, signal: AbortSignal) => Promise<string> {
  const account = accountIn(files);
  const hasUnsent = account !== null && account.unsent > 0;
  return async (token, signal) => {
    const isAccepted =
      account === null || isKnownToken(files.data, token) || (!hasUnsent && (await compare(token, signal)) === 'same');
    if (!isAccepted) throw new Error(newTokenProblem(profile, hasUnsent));
    rememberToken(files.data, token);
    return token;
  };
}

const toSignIn = (profile: string): string =>
  `If it is for the same one, open the chat with it and answer the question, or sign in: msg-tui login --profile ${profile} --same-account, with --token-file FILE if it is in a file`;

const unaskedText = (profile: string): string =>
  `this token was not used for the profile "${profile}" before, and may be for another account. ${toSignIn(profile)}`;

export const otherAccountText = (profile: string): string =>
  `this token lists other conversations than those of the profile "${profile}", so it is for another account. If it is for the same one, run: msg-tui login --profile ${profile} --same-account`;

const newTokenProblem = (profile: string, hasUnsent: boolean): string =>
  `the token command gave a token that is new for the profile "${profile}", ${hasUnsent ? 'which has unsent texts' : 'and the conversations do not show whose it is'}. If it is for the same account, run: msg-tui login --profile ${profile}`;

interface HeldAccount {
  readonly unsent: number;
}

/**
 * The account whose data is in the files of a profile. Null where there is none: a token that the server refused leaves files
 * with nothing in them. An outbox that cannot be read counts as an account without unsent texts.
 */
function accountIn(files: ProfileDirectories): HeldAccount | null {
  if (!existsSync(join(files.data, 'outbox.db'))) return null;
  const own = ownContentIn(files.data);
  if (own?.isEmpty === true && readConversations(files).length === 0) return null;
  return { unsent: own?.unsent ?? 0 };
}

/** As `accountIn`; null too where the token was used with it before. */
const accountWithout = (files: ProfileDirectories, token: string): HeldAccount | null =>
  isKnownToken(files.data, token) ? null : accountIn(files);

const questionOf = ({ unsent }: HeldAccount, server: string): string =>
  unsent > 0
    ? questionAbout(unsent, server)
    : `The conversations of ${server} were read with another token here.\nIs this token for the same account? [y/N] `;

function questionAbout(count: number, server: string): string {
  const texts = count === 1 ? 'One unsent text was' : `${count} unsent texts were`;
  return `${texts} written with another token for ${server}.\nIs this token for the same account? [y/N] `;
}

/** Asks on the terminal before the chat takes it over, where input comes by lines. */
export const askOnTerminal: Ask = async (question) => {
  process.stdout.write(question.split('\n').map(sanitizeLine).join('\n'));
  return isYes(await readLine());
};
