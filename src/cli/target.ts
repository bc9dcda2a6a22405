/** Which account to open: the environment's server, a configured profile, or none yet. */
import { credentialsFile, readToken, saveToken } from '../config/credentials.ts';
import type { Environment } from '../config/environment.ts';
import { type Config, loadConfig } from '../config/file.ts';
import { originOf, type Paths, profileDirectories } from '../config/paths.ts';
import { addProfile, loadProfile, type Profile } from '../config/profiles.ts';
import { isLoopbackHost, normaliseBaseUrl } from '../protocol/base-url.ts';
import type { SessionTarget } from '../session.ts';
import { ExitError, exitCodes } from './exit.ts';
import { type Ask, settleAccount } from './same-account.ts';

export interface TargetOptions {
  readonly environment: Environment;
  readonly paths: Paths;
  readonly insecureHttp: boolean;
  /** Puts a question to the user; without it none is asked. */
  readonly ask?: Ask;
}

/** `server` without a token: the welcome screen asks for it. */
export type FoundTarget = SessionTarget | { readonly server: string | null };

/** It says who, and not where; the welcome screen would pass it over without a word. */
export const tokenAlone = ({ tokenSource }: Pick<Environment, 'tokenSource'>): string =>
  `a token comes from ${tokenSource}, but no server: set MSG_TUI_SERVER=https://… beside it, or leave it out to set up an account`;

export const isWhole = (found: FoundTarget): found is SessionTarget => 'token' in found;

/** @throws ExitError for an address or a token that cannot be used; ConfigError for a file that cannot be read */
export async function findTarget(options: TargetOptions): Promise<FoundTarget> {
  const { environment, paths } = options;
  if (environment.tokenProblem !== null) throw new ExitError(exitCodes.notSignedIn, environment.tokenProblem);
  const config = await loadConfig(paths.configFile);
  const profile = loadProfile(config, environment);
  if (profile === null && environment.token !== null) throw new ExitError(exitCodes.usage, tokenAlone(environment));
  if (profile === null) return { server: null };
  const server = checkedServer(profile.server, options);
  const name = profile.source === 'config' ? profile.name : profileName(server);
  const token = environment.token ?? readToken(credentialsFile(paths), originOf(server), name);
  return token === null ? { server } : targetOf(options, profile, server, token, config);
}

async function targetOf(
  { environment, paths, insecureHttp, ask }: TargetOptions,
  profile: Profile,
  server: string,
  token: string,
  { undoSendSeconds, revealReading }: Pick<Config, 'undoSendSeconds' | 'revealReading'>,
): Promise<SessionTarget> {
  const account = profile.source === 'config' ? { server, profile: profile.name } : { server, token };
  const own = profileDirectories(paths, account);
  const directories = profile.source === 'config' ? own : await settleAccount(own, server, ask ?? null);
  return {
    label: profile.source === 'config' ? profile.name : new URL(server).host,
    server,
    token,
    dataDirectory: directories.data,
    cacheDirectory: directories.cache,
    insecureHttp,
    undoSendMs: undoSendSeconds * 1000,
    revealReading,
    ...(environment.proxy === null ? {} : { proxy: environment.proxy }),
  };
}

function checkedServer(input: string, options: TargetOptions): string {
  const base = normaliseBaseUrl(input, { insecureHttp: options.insecureHttp });
  if ('problem' in base) throw new ExitError(exitCodes.usage, base.problem);
  const problem = tlsProblem(base.url, options.environment);
  if (problem !== null) throw new ExitError(exitCodes.usage, problem);
  return base.url;
}

/** What is wrong with an address that a user typed; null when it can be used. */
export function serverProblem(input: string, { environment, insecureHttp }: TargetOptions): string | null {
  const base = normaliseBaseUrl(input, { insecureHttp });
  return 'problem' in base ? base.problem : tlsProblem(base.url, environment);
}

/** Reliability R-TLS: certificates that are not checked protect nobody. */
function tlsProblem(server: string, { tlsUnchecked }: Environment): string | null {
  return tlsUnchecked && !isLoopbackHost(new URL(server).hostname)
    ? 'NODE_TLS_REJECT_UNAUTHORIZED=0 switches the check of certificates off; unset it'
    : null;
}

/** Keeps a new account: the server as a profile, the token apart from it. */
export async function saveTarget(options: TargetOptions, input: string, token: string): Promise<SessionTarget> {
  const server = checkedServer(input, options);
  const name = profileName(server);
  saveToken(credentialsFile(options.paths), originOf(server), name, token);
  await addProfile(options.paths.configFile, name, server);
  const config = await loadConfig(options.paths.configFile);
  return targetOf(options, { source: 'config', name, server }, server, token, config);
}

/** Letters, digits and dashes of host and path: `chat-example-com`. */
export const profileName = (server: string): string => {
  const { host, pathname } = new URL(server);
  return (
    `${host}${pathname}`
      .replace(/[^A-Za-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 64) || 'default'
  );
};
