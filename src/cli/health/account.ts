/** Finds the account that the chat would open and where its token is. It asks no server and changes nothing. */

import { commandLine } from '../../config/command-words.ts';
import { credentialsFile } from '../../config/credentials.ts';
import type { Environment } from '../../config/environment.ts';
import { accountDirectories } from '../../config/environment-accounts.ts';
import { type Config, loadConfig } from '../../config/file.ts';
import type { Keyring } from '../../config/keyring.ts';
import { directoriesOfProfile } from '../../config/known-tokens.ts';
import { type Paths, type ProfileDirectories, profileDirectories } from '../../config/paths.ts';
import { type Profile, profileName } from '../../config/profiles.ts';
import { findSavedToken, readEntry } from '../../config/token-store.ts';
import { themeProblems } from '../config/own-themes.ts';
import { type Check, sectionOf } from '../output/check.ts';
import { ExitError, messageOf } from '../process/exit.ts';
import { chooseProxy } from '../sign-in/choose-proxy.ts';
import { chosenProfile } from '../sign-in/chosen-profile.ts';
import { checkServer, tokenAlone } from '../sign-in/find-account.ts';
import { isNewToken } from '../sign-in/link-account.ts';
import { tokenOfCommand } from '../sign-in/token-command.ts';

export interface InspectionOptions {
  readonly environment: Environment;
  readonly paths: Paths;
  readonly insecureHttp: boolean;
  readonly keyring: Keyring;
  /** False when only the files matter: the keyring is then asked only if they are named after the token. */
  readonly needsToken?: boolean;
  /** Whether a missing account is reported as wrong; otherwise it is a note. */
  readonly needsProfile?: boolean;
}

export interface AccountFacts {
  readonly checks: readonly Check[];
  /** Null when none is configured. */
  readonly profile: Profile | null;
  /** A normalised base URL; null when there is none that can be used. */
  readonly server: string | null;
  readonly token: string | null;
  /** The directories of this account; null when they cannot be determined. */
  readonly directories: ProfileDirectories | null;
}

const { ok, note, wrong } = sectionOf('Account');

const toSetUp = 'run msg-tui login, or start msg-tui, whose first screen asks for it';

/** Throws `ExitError` for a profile that is not there, and nothing else. */
export async function inspectAccount(options: InspectionOptions): Promise<AccountFacts> {
  const { environment, paths } = options;
  const nothing = { profile: null, server: null, token: null, directories: null };
  try {
    const config = await loadConfig(paths.configFile);
    const themes = await themeProblems(paths.configFile, environment.theme ?? config.values?.theme ?? null);
    const warnings = [...config.warnings, ...themes].map((warning) => note('settings', warning));
    const profile = chosenProfile(config, environment);
    if (profile === null)
      return { ...nothing, checks: [...warnings, nobody(environment, options.needsProfile === true)] };
    const facts = await inspectProfile(options, profile);
    return { ...facts, profile, checks: [...warnings, whose(profile, config), ...facts.checks] };
  } catch (error) {
    if (error instanceof ExitError) throw error;
    return { ...nothing, checks: [wrong('settings', messageOf(error))] };
  }
}

function nobody({ token, tokenSource, tokenProblem }: Environment, isWrong: boolean): Check {
  if (tokenProblem !== null) return wrong('token', tokenProblem);
  if (token !== null) return wrong('server', tokenAlone({ tokenSource }));
  return (isWrong ? wrong : note)('profile', 'none yet', toSetUp);
}

const whose = (profile: Profile, { file }: Config): Check =>
  profile.source === 'config'
    ? ok('profile', `${profile.name}, of ${file}`)
    : ok('profile', 'the one that MSG_TUI_SERVER names');

async function inspectProfile(options: InspectionOptions, profile: Profile): Promise<Omit<AccountFacts, 'profile'>> {
  const base = checkServer(profile.server, options);
  if ('problem' in base)
    return { checks: [wrong('server', base.problem)], server: null, token: null, directories: null };
  const server = base.url;
  const { token, check } = await findToken(options, profile, server);
  const checks = [ok('server', server), check, ...proxyOf(server, options.environment)];
  return { checks, server, token, directories: directoriesOf(options.paths, profile, server, token) };
}

/** Says where the token is and never what it is (R-TOK-2). */
async function findToken(
  options: InspectionOptions,
  profile: Profile,
  server: string,
): Promise<{ readonly token: string | null; readonly check: Check }> {
  const { environment, paths, keyring, needsToken = true } = options;
  if (environment.tokenProblem !== null) return { token: null, check: wrong('token', environment.tokenProblem) };
  if (environment.token !== null)
    return { token: environment.token, check: given(options, profile, server, environment.token) };
  const command = environment.tokenCommand ?? profile.tokenCommand;
  if (command !== null) return askCommand(command, needsToken);
  const file = credentialsFile(paths);
  const name = profile.source === 'config' ? profile.name : profileName(server);
  try {
    const kept = findSavedToken({ paths }, { server, profile: name }, { asItIs: true });
    if (kept !== null && 'token' in kept) return { token: kept.token, check: ok('token', `in ${file}`) };
    if (kept !== null && !needsToken && profile.source === 'config')
      return { token: null, check: note('token', 'in the keyring, which was not asked') };
    if (kept !== null) return await lookIntoKeyring(keyring, kept.entry, file);
    return { token: null, check: wrong('token', `none for this server, in MSG_TUI_TOKEN or ${file}`, toSetUp) };
  } catch (error) {
    return { token: null, check: wrong('token', messageOf(error)) };
  }
}

function given({ environment, paths }: InspectionOptions, profile: Profile, server: string, token: string): Check {
  const { tokenSource, tokenWarning } = environment;
  if (tokenWarning !== null) return note('token', tokenWarning);
  const { name } = profile;
  const files = profileDirectories(paths, { server, profile: name });
  if (profile.source !== 'config' || !isNewToken(files, token)) return ok('token', `in ${tokenSource}`);
  const advice = `open the chat and answer whose it is, or run msg-tui login --profile ${name} --same-account`;
  return note('token', `in ${tokenSource}, and it is new for the profile "${name}"`, advice);
}

/** The time to wait for the keyring or the token command: a password store may be locked. */
const tokenDeadlineMs = 10_000;

async function askCommand(command: readonly string[], needsToken: boolean) {
  const line = commandLine(command);
  if (!needsToken) return { token: null, check: note('token', `printed by ${line}, which was not run`) };
  try {
    const token = await tokenOfCommand(command, { timeoutMs: tokenDeadlineMs });
    return { token, check: ok('token', `printed by ${line}`) };
  } catch (error) {
    return { token: null, check: wrong('token', messageOf(error)) };
  }
}

async function lookIntoKeyring(keyring: Keyring, entry: string, file: string) {
  try {
    const token = await readEntry(keyring, entry, { deadlineMs: tokenDeadlineMs });
    return { token, check: ok('token', `in the keyring, as "${entry}"`) };
  } catch (error) {
    const text = `the token that ${file} refers to cannot be read from the keyring: ${messageOf(error)}`;
    return { token: null, check: wrong('token', text, 'unlock it, or start msg-tui and give it a new token') };
  }
}

/** Reports the proxy by its host, as its address may hold a password. An unusable one is reported with the server. */
function proxyOf(server: string, environment: Environment): readonly Check[] {
  const choice = chooseProxy(server, environment);
  if (choice.kind === 'proxy') return [ok('proxy', `${new URL(choice.proxy.url).host}, of ${choice.proxy.variable}`)];
  if (choice.kind === 'direct') {
    const why = choice.isLoopback ? 'the server is on this machine' : 'NO_PROXY names the server';
    return [ok('proxy', `not used, as ${why} (${choice.variable} is set)`)];
  }
  if (!environment.proxies.isHttpProxyIgnored) return [];
  const variable = new URL(server).protocol === 'https:' ? 'HTTPS_PROXY' : 'http_proxy, in lower case';
  return [
    note('proxy', 'none: HTTP_PROXY is not read for this server', `set ${variable}, or ALL_PROXY, if you want one`),
  ];
}

function directoriesOf(
  paths: Paths,
  profile: Profile,
  server: string,
  token: string | null,
): ProfileDirectories | null {
  if (profile.source === 'config') return directoriesOfProfile(paths, { server, profile: profile.name }, token);
  return token === null ? null : accountDirectories(profileDirectories(paths, { server, token }), server);
}
