/** Determines the account from the flags of a command line, which take precedence over the environment. */
import { commandWords } from './command-words.ts';
import { type Environment, withTokenFile } from './environment.ts';

export interface AccountFlags {
  /** The name of a profile in config.toml; goes before MSG_TUI_PROFILE and MSG_TUI_SERVER. */
  readonly profile?: string;
  readonly tokenFile?: string;
  /** A command line that prints the token. */
  readonly tokenCommand?: string;
}

/** What is wrong with the flags, as one line; null: nothing. */
export function problemOfFlags({ tokenFile, tokenCommand }: AccountFlags): string | null {
  if (tokenCommand === undefined) return null;
  if (tokenFile !== undefined) return 'give --token-file or --token-command, and not both';
  return commandWords(tokenCommand) === null
    ? "--token-command needs a program and its arguments, as in --token-command 'pass show chat'"
    : null;
}

/**
 * Returns the environment with the flags in the place of variables. MSG_TUI_TOKEN is for the server that MSG_TUI_SERVER names,
 * so a profile of another name does not get it.
 * @throws ConfigError for a token file that cannot be used
 */
export function withAccountFlags(environment: Environment, flags: AccountFlags): Environment {
  const { profile, tokenFile, tokenCommand } = flags;
  const chosen = profile === undefined ? environment : ofProfile(environment, profile);
  if (tokenCommand === undefined) return withTokenFile(chosen, tokenFile ?? null);
  return { ...withoutToken(chosen), tokenCommand: commandWords(tokenCommand) };
}

/**
 * The environment for another profile than the one that the program was started with: it has its own server and its own
 * token.
 */
export const forOtherProfile = (environment: Environment, profile: string): Environment =>
  withoutToken({ ...environment, server: null, profile });

const ofProfile = (environment: Environment, profile: string): Environment =>
  environment.server === null ? { ...environment, profile } : forOtherProfile(environment, profile);

export const withoutToken = (environment: Environment): Environment => ({
  ...environment,
  token: null,
  tokenWarning: null,
  tokenProblem: null,
  tokenCommand: null,
});
