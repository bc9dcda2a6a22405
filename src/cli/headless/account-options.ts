/** Adds the options that all commands with an account share. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AccountFlags } from '../../config/account-flags.ts';

/** The options that `withAccountOptions` adds, as commander gives them to the action. */
export interface AccountOptions extends AccountFlags {
  readonly insecureHttp?: boolean;
}

/** The option that `withArchive` adds. */
export interface ArchiveOption {
  /** The path of an archive to read instead of an account. */
  readonly archive?: string;
}

/** The option that `withTimeout` adds. */
export interface TimeoutOptions {
  /** The deadline in seconds. */
  readonly timeout: number;
}

export const withAccountOptions = (command: Command): Command =>
  command
    .option('--profile <name>', 'use this profile of config.toml; overrides MSG_TUI_PROFILE and MSG_TUI_SERVER')
    .option('--token-file <file>', 'read the token from this file, instead of MSG_TUI_TOKEN or the saved token')
    .option('--token-command <command>', 'run this command, without a shell, and take the first line as the token')
    .option('--insecure-http', 'allow an http:// server that is not on this machine');

/**
 * Lets commands that open no account take `--profile` as well, which has no effect there, as MSG_TUI_PROFILE has none:
 * an alias with the option works for all commands. The help does not show it.
 */
export function allowProfile(command: Command): void {
  for (const one of command.commands) allowProfile(one);
  if (command.commands.length > 0 || command.options.some(({ long }) => long === '--profile')) return;
  command.addOption(new Option('--profile <name>').hideHelp());
}

const ofAccounts = ['profile', 'tokenFile', 'tokenCommand', 'insecureHttp'];

/**
 * Adds `--archive` to a command that reads an archive as well; to be called after `withAccountOptions`.
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

/** Adds `--timeout` to a command that waits for the server. */
export const withTimeout = (command: Command): Command =>
  command.option('--timeout <seconds>', 'give up after this time', parseTimeout, defaultTimeout);

/** @throws InvalidArgumentError */
export function parseTimeout(word: string): number {
  const seconds = Number(word);
  if (/^\d{1,5}(\.\d{1,3})?$/.test(word) && seconds <= longestTimeout) return seconds;
  throw new InvalidArgumentError(`Write it in seconds, from 0 to ${longestTimeout}.`);
}
