/** `msg-tui login`: asks for what is missing, checks it with one request, and saves it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SentRequest } from '../../api/http/sent-request.ts';
import { type AccountFlags, problemOfFlags, withoutToken } from '../../config/account-flags.ts';
import { commandWords } from '../../config/command-words.ts';
import { checkToken, readTokenFile, tokenFileWarning } from '../../config/credentials.ts';
import { type Environment, readEnvironment } from '../../config/environment.ts';
import { ConfigError } from '../../config/errors.ts';
import { type Config, loadConfig } from '../../config/file.ts';
import { systemKeyring } from '../../config/keyring.ts';
import { rememberToken } from '../../config/known-tokens.ts';
import { currentPaths, profileDirectories } from '../../config/paths.ts';
import { addProfile, isProfileName, profileName, profileNameRule, setTokenCommand } from '../../config/profiles.ts';
import { forgetToken, saveToken } from '../../config/token-store.ts';
import { normaliseBaseUrl } from '../../protocol/base-url.ts';
import { undisputed } from '../../state/local/identity.ts';
import { openOutbox } from '../../storage/outbox/open.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { asExit } from '../headless/api-exit.ts';
import { isYes } from '../input/answer.ts';
import { type Asker, terminalAsker } from '../input/ask.ts';
import { jsonDocument, type Output, processOutput } from '../output/print.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import { accountProblem } from '../sign-in/account-problem.ts';
import { addressOf } from '../sign-in/chosen-profile.ts';
import { checkServer, type FindAccountOptions, questionBeforeSaving } from '../sign-in/find-account.ts';
import { recordRequests } from '../sign-in/record-requests.ts';
import { tokenOfCommand } from '../sign-in/token-command.ts';
import { withTokenWarning } from '../sign-in/token-warning.ts';
import { checkAccount } from './check-account.ts';

export interface LoginOptions extends AccountFlags {
  readonly server?: string;
  readonly tokenStdin?: boolean;
  readonly sameAccount?: boolean;
  readonly insecureHttp?: boolean;
  readonly json?: boolean;
}

/** The parts of the machine that the command uses; tests give it others. */
export interface LoginPorts extends Omit<FindAccountOptions, 'insecureHttp' | 'ask'> {
  readonly asker: Asker;
  readonly stdin: () => Promise<string>;
  readonly output: Output;
}

const processPorts = (): LoginPorts => ({
  environment: readEnvironment(),
  paths: currentPaths(),
  keyring: systemKeyring,
  asker: terminalAsker,
  stdin: readStdin,
  output: processOutput(),
});

interface Holder {
  readonly profile: string;
  readonly server: string;
}

/** The token, and the command that printed it, if there is one. */
interface Given {
  readonly token: string;
  readonly command: readonly string[] | null;
}

/** @throws ExitError */
export async function login(options: LoginOptions, ports: LoginPorts = processPorts()): Promise<void> {
  checkFlags(options);
  const { tokenFile } = options;
  const warning = tokenFile === undefined ? null : tokenFileWarning(tokenFile);
  await withTokenWarning(warning, () => signIn(options, ports), ports.output.remark);
}

async function signIn(options: LoginOptions, ports: LoginPorts): Promise<void> {
  const config = await loadConfig(ports.paths.configFile);
  const holder = await whichAccount(config, options, ports);
  const saved = config.profiles.get(holder.profile)?.tokenCommand ?? null;
  const given = await readToken(options, withOwnToken(ports, holder), saved);
  const sent = await check(holder, given.token, options, ports);
  await settleWhose(holder, given.token, options, ports);
  const tokenIn = await save(holder, given, config, ports);
  await recordRequests(ports.paths, profileDirectories(ports.paths, holder).cache, sent, { isNew: true });
  const { profile, server } = holder;
  if (options.json === true) return ports.output.json(jsonDocument({ profile, server, token_in: tokenIn }));
  const place = {
    keyring: 'in the keyring',
    file: 'in a file that only you can read',
    command: 'printed by the command',
  };
  ports.output.text(`Signed in to ${sanitizeLine(server)} as profile "${profile}". The token is ${place[tokenIn]}.\n`);
  const isDefault = [...config.profiles].length === 0 || (config.defaultProfile ?? firstOf(config)) === profile;
  if (!isDefault)
    ports.output.text(`msg-tui --profile ${profile} opens it; msg-tui profiles use ${profile} makes it the default.\n`);
}

const firstOf = ({ profiles }: Config): string | undefined => [...profiles.keys()][0];

function checkFlags(options: LoginOptions): void {
  const { tokenFile, tokenStdin, tokenCommand } = options;
  const usage = (text: string): ExitError => new ExitError(exitCodes.usage, text);
  const sources = [tokenFile !== undefined, tokenStdin === true, tokenCommand !== undefined].filter(Boolean);
  if (sources.length > 1) throw usage('give one of --token-file, --token-stdin and --token-command');
  const problem = problemOfFlags(options);
  if (problem !== null) throw usage(problem);
}

/** The account that the flags name, else the one that the chat would open; for a new one, asks for the server. */
async function whichAccount(config: Config, options: LoginOptions, ports: LoginPorts): Promise<Holder> {
  const { environment, asker } = ports;
  const normal = (address: string): string => {
    const checked = checkServer(address, { ...ports, insecureHttp: options.insecureHttp === true });
    if ('problem' in checked) throw new ExitError(exitCodes.usage, checked.problem);
    return checked.url;
  };
  const insecureHttp = options.insecureHttp === true;
  const variable = options.profile === undefined ? environment.server : null;
  const given =
    options.server ??
    (variable === null ? null : addressOf({ source: 'environment', name: '', server: variable }, insecureHttp));
  const wanted = options.profile ?? environment.profile;
  // Before anything is asked or saved: a token under a name that cannot be added would stay without a profile.
  if (wanted !== null && !config.profiles.has(wanted) && !isProfileName(wanted))
    throw new ExitError(exitCodes.usage, profileNameRule);
  if (given === null) {
    const name = wanted ?? config.defaultProfile ?? firstOf(config);
    const known = name === undefined ? undefined : config.profiles.get(name);
    if (known !== undefined)
      return { profile: known.name, server: normal(addressOf({ source: 'config', ...known }, insecureHttp)) };
  }
  const typed = given ?? (await asker.line('Server: '));
  if (typed === null) throw new ExitError(exitCodes.usage, 'give the address of the service: --server https://…');
  const server = normal(typed);
  const name = wanted ?? (await nameFor(config, server));
  const known = config.profiles.get(name);
  if (known !== undefined && !isFor(known, server))
    throw new ExitError(
      exitCodes.usage,
      `the profile "${name}" is for ${known.server}; choose another name for ${server} with --profile`,
    );
  return { profile: name, server };
}

/** Whether the profile is for this server. A bad address in another profile is no reason not to sign in here. */
function isFor(profile: { readonly server: string }, server: string): boolean {
  const base = normaliseBaseUrl(profile.server, { insecureHttp: true });
  return 'url' in base && base.url === server;
}

/** The one profile of this server, or a new name made from the address. */
async function nameFor(config: Config, server: string): Promise<string> {
  const same = [...config.profiles.values()].filter((one) => isFor(one, server));
  if (same.length > 1)
    throw new ExitError(
      exitCodes.usage,
      `several profiles are for ${server}; choose one with --profile: ${same.map(({ name }) => name).join(', ')}`,
    );
  return same[0]?.name ?? profileName(server);
}

/** The token of the environment is for the server that the environment names: another server does not get it. */
function withOwnToken(ports: LoginPorts, { server }: Holder): LoginPorts {
  const { environment } = ports;
  if (environment.server === null) return ports;
  const named = normaliseBaseUrl(environment.server, { insecureHttp: true });
  const isOwn = 'url' in named && named.url === server;
  return isOwn ? ports : { ...ports, environment: withoutToken(environment) };
}

async function readToken(options: LoginOptions, ports: LoginPorts, saved: readonly string[] | null): Promise<Given> {
  const { tokenFile, tokenStdin, tokenCommand } = options;
  const { environment, asker } = ports;
  if (tokenFile !== undefined) return { token: tokenIn(tokenFile), command: null };
  if (tokenStdin === true) return { token: usableToken(await ports.stdin()), command: null };
  if (environment.tokenProblem !== null) throw new ExitError(exitCodes.notSignedIn, environment.tokenProblem);
  if (tokenCommand === undefined && environment.token !== null) {
    if (saved !== null) throw new ExitError(exitCodes.usage, replacesCommand(environment));
    return { token: environment.token, command: null };
  }
  const command = tokenCommand === undefined ? saved : commandWords(tokenCommand);
  if (command !== null) return { token: await tokenOfCommand(command), command };
  const typed = await asker.secret('Token (not shown): ');
  if (typed !== null) return { token: usableToken(typed), command: null };
  throw new ExitError(
    exitCodes.usage,
    'there is no terminal to ask for the token: give --token-stdin, --token-file or --token-command',
  );
}

/** @throws ExitError for a file that cannot be read or has no token: it was named on the command line, as a token on stdin is */
function tokenIn(file: string): string {
  try {
    return readTokenFile(file);
  } catch (error) {
    throw error instanceof ConfigError ? new ExitError(exitCodes.usage, error.message) : error;
  }
}

/** Says why a token of the environment, which may be set for something else, does not replace a command that was configured. */
const replacesCommand = ({ tokenSource }: Environment): string =>
  `the profile takes its token from its token_command, which the token of ${tokenSource} would replace: unset it, or give the token with --token-stdin`;

function usableToken(text: string): string {
  const checked = checkToken(text);
  if ('problem' in checked) throw new ExitError(exitCodes.usage, checked.problem);
  return checked.token;
}

/** @returns the requests, which are noted in the ledger once the account is there */
async function check(
  holder: Holder,
  token: string,
  options: LoginOptions,
  { environment, paths }: LoginPorts,
): Promise<readonly SentRequest[]> {
  const sent: SentRequest[] = [];
  const insecureHttp = options.insecureHttp === true;
  try {
    const { signal } = new AbortController();
    const settings = { environment, insecureHttp, paths };
    await checkAccount(holder, token, settings, signal, (request) => void sent.push(request));
    return sent;
  } catch (error) {
    const exit = asExit(error);
    if (!(exit instanceof ExitError)) throw error;
    // The address may be mistyped.
    const where = exit.code === exitCodes.notReached ? `${holder.server}: ` : '';
    throw new ExitError(exit.code, `${where}${accountProblem(error)}`);
  }
}

/** Makes sure that a new token of a profile in use is for the same account, which the service does not say. */
async function settleWhose(holder: Holder, token: string, options: LoginOptions, ports: LoginPorts): Promise<void> {
  if (options.sameAccount === true) return;
  const settings = { ...ports, insecureHttp: options.insecureHttp === true };
  const asked = questionBeforeSaving(settings, holder, token, new AbortController().signal);
  const question = await asked.catch((error: unknown) => Promise.reject(asExit(error)));
  if (question === null) return;
  const answer = await ports.asker.line(question);
  if (isYes(answer)) return;
  const why = answer === null ? `the profile "${holder.profile}" was used with another token` : 'nothing was changed';
  throw new ExitError(
    exitCodes.usage,
    `${why}; give --same-account if this token is for the same account, or another name with --profile`,
  );
}

/** @returns where the token is now */
async function save(
  holder: Holder,
  { token, command }: Given,
  config: Config,
  { paths, keyring, output }: LoginPorts,
): Promise<'keyring' | 'file' | 'command'> {
  const { profile, server } = holder;
  const store = { paths, keyring, usesKeyring: config.keyring };
  const kept = command === null ? await saveToken(store, holder, token) : null;
  await addProfile(paths.configFile, profile, server);
  await setTokenCommand(paths.configFile, profile, command);
  rememberToken(profileDirectories(paths, holder).data, token);
  endDispute(profileDirectories(paths, holder).data);
  if (kept === null) {
    await forgetToken(store, holder);
    return 'command';
  }
  if (kept.refusal !== null) output.remark(sanitizeLine(`the keyring was not used: ${kept.refusal}`));
  return kept.refusal === null && config.keyring ? 'keyring' : 'file';
}

/**
 * Removes the mark that the token belongs to another account, which has stopped all requests: another token was given now.
 */
function endDispute(directory: string): void {
  if (!existsSync(join(directory, 'outbox.db'))) return;
  try {
    const outbox = openOutbox(directory, { role: 'reader' });
    try {
      const { me } = outbox.load();
      if (me?.isDisputed === true) outbox.saveRecords([['me', '', undisputed(me)]]);
    } finally {
      outbox.close();
    }
  } catch {
    // The chat says what is wrong with its files, and Ctrl-T ends the dispute there.
  }
}

const mostOfStdin = 64_000;

async function readStdin(): Promise<string> {
  let text = '';
  process.stdin.setEncoding('utf8');
  for await (const part of process.stdin) {
    text += part;
    if (text.length > mostOfStdin) break;
  }
  return text.trimStart().split(/\r?\n/, 1)[0] ?? '';
}
