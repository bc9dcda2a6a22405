/** The options of every command that uses an account. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AccountFlags } from '../../config/account-flags.ts';

/** What `withAccountOptions` adds, as commander gives it to the action. */
export interface AccountOptions extends AccountFlags {
  readonly insecureHttp?: boolean;
}

/** What `withArchive` adds. */
export interface ArchiveOption {
  /** The path of an archive to read instead of an account. */
  readonly archive?: string;
}

/** What `withTimeout` adds. */
export interface TimeoutOptions {
  /** In seconds. */
  readonly timeout: number;
}

export const withAccountOptions = (command: Command): Command =>
  command
    .option('--profile <name>', 'use this profile of config.toml; overrides MSG_TUI_PROFILE and MSG_TUI_SERVER')
    .option('--token-file <file>', 'read the token from this file, instead of MSG_TUI_TOKEN or the saved token')
    .option('--token-command <command>', 'run this command, without a shell, and take the first line as the token')
    .option('--insecure-http', 'allow an http:// server that is not on this machine');

const ofAccounts = ['profile', 'tokenFile', 'tokenCommand', 'insecureHttp'];

/**
 * For commands that read an archive as well; behind `withAccountOptions`.
 * @param conflicts other options that an archive has no use for
 */
export const withArchive = (command: Command, conflicts: readonly string[] = []): Command =>
  command.addOption(
    new Option('--archive <file>', 'read this archive of msg-tui export or import; no account is needed').conflicts([
      ...ofAccounts,
      ...conflicts,
    ]),
  );

const defaultTimeout = 10;
const longestTimeout = 86_400;

/** For commands that wait for the server. */
export const withTimeout = (command: Command): Command =>
  command.option('--timeout <seconds>', 'give up after this time', parseTimeout, defaultTimeout);

/** @throws InvalidArgumentError */
export function parseTimeout(word: string): number {
  const seconds = Number(word);
  if (/^\d{1,5}(\.\d{1,3})?$/.test(word) && seconds <= longestTimeout) return seconds;
  throw new InvalidArgumentError(`Write it in seconds, from 0 to ${longestTimeout}.`);
}
