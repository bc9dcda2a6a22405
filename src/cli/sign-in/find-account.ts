/** Finds the account to open: the environment's server, a configured profile, or none yet. */
import type { LateToken } from '../../api/lazy-client.ts';
import type { Environment } from '../../config/environment.ts';
import { type Config, loadConfig } from '../../config/file.ts';
import { type Keyring, KeyringError } from '../../config/keyring.ts';
import { rememberToken } from '../../config/known-tokens.ts';
import { type Paths, profileDirectories } from '../../config/paths.ts';
import { addProfile, type Profile, profileName } from '../../config/profiles.ts';
import { findSavedToken, type Holder, readEntry, saveInFile, saveToken } from '../../config/token-store.ts';
import { type BaseUrl, isLoopbackHost, normaliseBaseUrl } from '../../protocol/base-url.ts';
import type { AccountToOpen, Session, SessionOptions } from '../../session.ts';
import type { Settings } from '../../state/model/settings.ts';
import { ExitError, exitCodes, messageOf } from '../process/exit.ts';
import { proxyProblem, proxySettings } from './choose-proxy.ts';
import { addressOf, chosenProfile } from './chosen-profile.ts';
import { type CompareAccount, comparedToken } from './compared-token.ts';
import {
  type Ask,
  lateTokenCheck,
  otherAccountText,
  questionOfProfile,
  type Settled,
  settleAccount,
  settleProfile,
} from './link-account.ts';

export interface FindAccountOptions {
  readonly environment: Environment;
  readonly paths: Paths;
  readonly insecureHttp: boolean;
  readonly keyring: Keyring;
  /** The key of a command as it is shown; without it no keys are named. */
  readonly keyOf?: (commandId: string) => string;
  /** Asks the user a question; without it nothing is asked. */
  readonly ask?: Ask;
  /** Rejects when a token command that is run at once has to end; without it the command has its usual time. */
  readonly noTokenInTime?: () => Promise<never>;
}

/** Saves new tokens of an account for the next start, and returns what to show the user about it. */
export interface TokenPlace {
  save(token: string, settings: Pick<Settings, 'keyring'>): Promise<string | null>;
  /** Saves at once, without the keyring. Throws `ConfigError`. */
  saveInFile(token: string): string;
}

/** The account or archive that the chat opens; `tokens` saves new tokens. */
export interface ChatAccount extends AccountToOpen {
  readonly tokens?: TokenPlace;
  /** Opens an archive; absent for an account. */
  readonly open?: (options: SessionOptions) => Session;
  /** One line of raw text for the start of the chat. */
  readonly notice?: string;
  /** What the token waits for, if it is read while the program runs. `server`: whether its list shows this account. */
  readonly lateTokenFrom?: 'keyring' | 'command' | 'server';
  /** Finds out whether another token is for this account; absent where there is only one token. */
  readonly compare?: CompareAccount;
  /** The config.toml that the chat changes, in the place of that of the user. */
  readonly configFile?: string;
  /** Its files are removed when the program ends. */
  readonly isTemporary?: true;
}

/** With `server` but no token, the welcome screen asks for the token; `problem` says why it was not found. */
export type FoundAccount = ChatAccount | NoAccount;

export interface NoAccount {
  readonly server: string | null;
  /** The profile that lacks the token. */
  readonly profile?: string;
  readonly problem?: string;
}

/** The problem of a token without a server, which the welcome screen would ignore. */
export const tokenAlone = ({ tokenSource }: Pick<Environment, 'tokenSource'>): string =>
  `a token comes from ${tokenSource}, but no server: set MSG_TUI_SERVER=https://… beside it, or leave it out to set up an account`;

export const isWhole = (found: FoundAccount): found is ChatAccount => 'token' in found;

/**
 * The token is that of `--token-file`, else of the environment, else of the token command, else the one that was saved: in the
 * keyring, or in the file where the keyring did not work.
 * @throws ExitError for an address or a token that cannot be used; ConfigError for a file that cannot be read; ApiError where
 * nobody can be asked about a new token, and the service does not answer
 */
export async function findAccount(options: FindAccountOptions, reading: Promise<Config>): Promise<FoundAccount> {
  const { environment } = options;
  if (environment.tokenProblem !== null) throw new ExitError(exitCodes.notSignedIn, environment.tokenProblem);
  const profile = chosenProfile(await reading, environment);
  if (profile === null && environment.token !== null) throw new ExitError(exitCodes.usage, tokenAlone(environment));
  if (profile === null) return { server: null };
  const server = checkedServer(addressOf(profile, options.insecureHttp), options);
  const name = profile.source === 'config' ? profile.name : profileName(server);
  const holder = { server, profile: name };
  if (environment.token !== null) return accountOf(options, profile, server, environment.token);
  const command = environment.tokenCommand ?? profile.tokenCommand;
  if (command !== null) return withCommand(options, profile, server, command);
  const kept = findSavedToken(options, holder);
  if (kept === null) return profile.source === 'config' ? { server, profile: name } : { server };
  const tokens = placeIn(options, holder);
  if ('token' in kept) return { ...(await accountOf(options, profile, server, kept.token)), tokens };
  return withEntry(options, profile, server, kept.entry, tokens);
}

/** Says what the user can do in the chat when the keyring does not give the token. */
function remedyWith(keyOf: FindAccountOptions['keyOf'] = () => ''): string {
  const [again, other] = [keyOf('server.poll'), keyOf('server.signIn')];
  const ways = [again && `${again} asks it again`, other && `${other} takes a new token`].filter((way) => way !== '');
  return ways.join(', ') || 'Unlock it and try again';
}

/** The command is run after the first frame, except where the directories are named after its token. */
async function withCommand(
  options: FindAccountOptions,
  profile: Profile,
  server: string,
  command: readonly string[],
): Promise<ChatAccount> {
  // Loaded here: most starts run no command.
  const { tokenOfCommand } = await import('./token-command.ts');
  if (profile.source !== 'config') {
    const reading = tokenOfCommand(command).catch((error: unknown) => {
      throw new ExitError(exitCodes.notSignedIn, messageOf(error));
    });
    const { noTokenInTime } = options;
    const token = await (noTokenInTime === undefined ? reading : Promise.race([reading, noTokenInTime()]));
    return accountOf(options, profile, server, token);
  }
  const files = profileDirectories(options.paths, { server, profile: profile.name });
  const check = lateTokenCheck(files, profile.name, (token, signal) =>
    compareWithCache(options, server, files, token, signal),
  );
  const token = { read: async (signal: AbortSignal) => check(await tokenOfCommand(command, { signal }), signal) };
  return { ...(await accountOf(options, profile, server, token)), lateTokenFrom: 'command' };
}

const compareWithCache: typeof import('./compare-account.ts').compareAccount = async (...of) => {
  // Loaded here: most starts compare nothing.
  const { compareAccount } = await import('./compare-account.ts');
  return compareAccount(...of);
};

/** The longest wait for the keyring while the screen is empty. */
const longestSilenceMs = 15_000;

/** The account with its token in the keyring, for which the chat waits after its first frame where it can. */
async function withEntry(
  options: FindAccountOptions,
  profile: Profile,
  server: string,
  entry: string,
  tokens: TokenPlace,
): Promise<FoundAccount> {
  const read = async (signal: AbortSignal, remedy: string): Promise<string> => {
    try {
      return await readEntry(options.keyring, entry, { signal });
    } catch (error) {
      if (!(error instanceof KeyringError)) throw error;
      throw new KeyringError(`keyring: ${error.message}. ${remedy}`);
    }
  };
  if (profile.source === 'config') {
    const token = { read: (signal: AbortSignal) => read(signal, remedyWith(options.keyOf)) };
    return { ...(await accountOf(options, profile, server, token)), tokens, lateTokenFrom: 'keyring' };
  }
  try {
    // The directories are named after the token, so there is nothing to show without it.
    const signal = AbortSignal.timeout(longestSilenceMs);
    const token = await read(signal, 'Give the token here, or unlock it and start again');
    return { ...(await accountOf(options, profile, server, token)), tokens };
  } catch (error) {
    if (!(error instanceof KeyringError)) throw error;
    return { server, problem: error.message };
  }
}

/** `save` resolves to a line for the user when the keyring refused the token (R-TOK-3). */
function placeIn({ paths, keyring }: FindAccountOptions, holder: Holder): TokenPlace {
  const directory = profileDirectories(paths, holder).data;
  const noKeyring = (refusal: string, file: string): string =>
    `No keyring (${refusal}): the token is in ${file}, which only you can read.`;
  return {
    async save(token, settings) {
      rememberToken(directory, token);
      const { file, refusal } = await saveToken({ paths, keyring, usesKeyring: settings.keyring }, holder, token);
      return refusal === null ? null : noKeyring(refusal, file);
    },
    saveInFile: (token) => noKeyring('it had not answered yet', saveInFile({ paths }, holder, token)),
  };
}

async function accountOf(
  options: FindAccountOptions,
  profile: Profile,
  server: string,
  token: string | LateToken,
): Promise<ChatAccount> {
  const { files, onCompared } = await settle(options, profile, server, token);
  const compare: CompareAccount = (other, signal) => compareWithCache(options, server, files, other, signal);
  const isToCompare = typeof token === 'string' && onCompared !== undefined;
  return {
    label: profile.source === 'config' ? profile.name : new URL(server).host,
    server,
    token: isToCompare ? comparedToken(token, compare, onCompared) : token,
    ...(isToCompare && { lateTokenFrom: 'server' }),
    compare,
    dataDirectory: files.data,
    cacheDirectory: files.cache,
    insecureHttp: options.insecureHttp,
    ...proxySettings(server, options.environment),
  };
}

/** A server that the environment names has a directory for each token. */
async function settle(
  options: FindAccountOptions,
  profile: Profile,
  server: string,
  token: string | LateToken,
): Promise<Settled> {
  const { environment, paths, ask = null } = options;
  const holder = { server, profile: profile.name };
  const own = profileDirectories(paths, holder);
  if (typeof token !== 'string') return { files: own };
  if (profile.source === 'environment') return settleAccount(profileDirectories(paths, { server, token }), server, ask);
  if (environment.token !== null) {
    const compare = () => compareWithCache(options, server, own, token, new AbortController().signal);
    return settleProfile(paths, holder, token, { ask, compare });
  }
  // The token was saved for this profile, so the user was asked before whose it is.
  rememberToken(own.data, token);
  return { files: own };
}

/** The profile that lacks its token, or a new one for another server. @throws ExitError for an address that cannot be used */
export function holderToSave(options: FindAccountOptions, input: string, from: NoAccount): Holder {
  const server = checkedServer(input, options);
  const isFrom = from.profile !== undefined && from.server === server;
  return { server, profile: isFrom ? from.profile : profileName(server) };
}

/**
 * Returns what to ask before the welcome screen or `login` saves this token; null for nothing. Rejects with an error whose message
 * says that the service shows another account, and with ApiError.
 */
export async function questionBeforeSaving(
  options: FindAccountOptions,
  holder: Holder,
  token: string,
  signal: AbortSignal,
): Promise<string | null> {
  const files = profileDirectories(options.paths, holder);
  const question = questionOfProfile(files, holder.server, token);
  if (question === null) return null;
  const comparison = await compareWithCache(options, holder.server, files, token, signal);
  if (comparison === 'other') throw new ExitError(exitCodes.notSignedIn, otherAccountText(holder.profile));
  return question;
}

function checkedServer(input: string, options: FindAccountOptions): string {
  const server = checkServer(input, options);
  if ('problem' in server) throw new ExitError(exitCodes.usage, server.problem);
  return server.url;
}

/** Checks the address that a user typed, and the proxy that the environment sets for it. */
export function checkServer(input: string, { environment, insecureHttp }: FindAccountOptions): BaseUrl {
  const base = normaliseBaseUrl(input, { insecureHttp });
  if ('problem' in base) return base;
  const problem = tlsProblem(base.url, environment) ?? proxyProblem(base.url, environment);
  return problem === null ? base : { problem };
}

/** The problem with a server whose certificate would not be checked (R-TLS); null for none. */
function tlsProblem(server: string, { tlsUnchecked }: Environment): string | null {
  return tlsUnchecked && !isLoopbackHost(new URL(server).hostname)
    ? 'NODE_TLS_REJECT_UNAUTHORIZED=0 switches the check of certificates off; unset it'
    : null;
}

/** Saves a new account: the server as a profile, the token apart from it. `atOnce` does not wait for the keyring. */
export async function saveAccount(
  options: FindAccountOptions,
  input: string,
  token: string,
  { atOnce = false, from = { server: null } }: { readonly atOnce?: boolean; readonly from?: NoAccount } = {},
): Promise<ChatAccount> {
  const holder = holderToSave(options, input, from);
  const { server } = holder;
  const profile = { source: 'config', name: holder.profile, server, tokenCommand: null } as const;
  const tokens = placeIn(options, holder);
  const config = await loadConfig(options.paths.configFile);
  const notice = atOnce ? tokens.saveInFile(token) : await tokens.save(token, config);
  await addProfile(options.paths.configFile, profile.name, server);
  return {
    ...(await accountOf(options, profile, server, token)),
    tokens,
    ...(notice === null ? {} : { notice }),
  };
}
