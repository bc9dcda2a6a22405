/** `msg-tui logout`: removes the token and the cache of a profile, and reports what was removed and what was kept. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { withAccountFlags } from '../../config/account-flags.ts';
import { readEnvironment } from '../../config/environment.ts';
import { loadConfig } from '../../config/file.ts';
import { KeyringError, systemKeyring } from '../../config/keyring.ts';
import { currentPaths, profileDirectories } from '../../config/paths.ts';
import { type Profile, setTokenCommand } from '../../config/profiles.ts';
import { forgetToken } from '../../config/token-store.ts';
import { normaliseBaseUrl } from '../../protocol/base-url.ts';
import { countUnsentIn } from '../../storage/inspect.ts';
import { acquireSenderLock } from '../../storage/outbox/sender-lock.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { ExitError, exitCodes, messageOf } from '../exit.ts';
import { jsonDocument } from '../output/json.ts';
import { processOutput } from '../output/print.ts';
import type { TargetOptions } from '../target.ts';
import { chosenProfile } from './chosen-profile.ts';
import type { LoginPorts } from './login.ts';

export interface LogoutOptions {
  readonly profile?: string;
  readonly discardUnsent?: boolean;
  readonly json?: boolean;
}

type LogoutPorts = Pick<LoginPorts, 'environment' | 'paths' | 'keyring' | 'output'>;

const processPorts = (): LogoutPorts => ({
  environment: readEnvironment(),
  paths: currentPaths(),
  keyring: systemKeyring,
  output: processOutput(),
});

/** @throws ExitError */
export async function logout(options: LogoutOptions, ports: LogoutPorts = processPorts()): Promise<void> {
  const config = await loadConfig(ports.paths.configFile);
  const flags = options.profile === undefined ? {} : { profile: options.profile };
  const profile = ofConfig(chosenProfile(config, withAccountFlags(ports.environment, flags)));
  const base = normaliseBaseUrl(profile.server, { insecureHttp: true });
  if ('problem' in base) throw new ExitError(exitCodes.usage, base.problem);
  const holder = { server: base.url, profile: profile.name };
  const directories = profileDirectories(ports.paths, holder);
  const unsent = countUnsentIn(directories.data);
  const unlock = lockProfile(directories.data, profile.name);
  let tokenFrom: 'keyring' | 'file' | 'command' | null;
  let hadCache: boolean;
  try {
    tokenFrom = await removeToken(holder, profile, ports);
    hadCache = remove(directories.cache);
  } finally {
    unlock();
  }
  const isDiscarded = options.discardUnsent === true && remove(directories.data);
  report(
    { profile, tokenFrom, hadCache, unsent, isDiscarded, hasData: existsSync(join(directories.data, 'outbox.db')) },
    options,
    ports,
  );
}

function ofConfig(profile: Profile | null): Profile {
  if (profile === null) throw new ExitError(exitCodes.notSignedIn, 'no account is set up; msg-tui login adds one');
  if (profile.source === 'config') return profile;
  throw new ExitError(
    exitCodes.usage,
    'MSG_TUI_SERVER names the account, and nothing of it is in config.toml; unset it, or give --profile NAME',
  );
}

/** Returns what unlocks it. @throws ExitError while another msg-tui is open on it */
function lockProfile(directory: string, name: string): () => void {
  if (!existsSync(directory)) return () => undefined;
  const lock = acquireSenderLock(directory);
  if ('release' in lock) return lock.release;
  const which = lock.heldBy === null ? 'another msg-tui' : `another msg-tui (process ${lock.heldBy})`;
  throw new ExitError(exitCodes.failure, `nothing was removed: ${which} uses the profile "${name}"; quit it first`);
}

/** @returns where the token was; null for none */
async function removeToken(
  holder: { readonly server: string; readonly profile: string },
  { name, tokenCommand }: Profile,
  { paths, keyring }: Pick<TargetOptions, 'paths' | 'keyring'>,
): Promise<'keyring' | 'file' | 'command' | null> {
  try {
    const from = await forgetToken({ paths, keyring }, holder);
    if (tokenCommand === null) return from;
    await setTokenCommand(paths.configFile, name, null);
    return from ?? 'command';
  } catch (error) {
    if (!(error instanceof KeyringError)) throw error;
    throw new ExitError(
      exitCodes.failure,
      `nothing was removed: the keyring keeps the token (${error.message}); unlock it and run this again`,
    );
  }
}

/** False where it was not there. @throws ExitError */
function remove(directory: string): boolean {
  if (!existsSync(directory)) return false;
  try {
    rmSync(directory, { recursive: true });
    return true;
  } catch (error) {
    throw new ExitError(exitCodes.failure, `${directory} cannot be removed: ${messageOf(error)}`);
  }
}

interface Outcome {
  readonly profile: Profile;
  readonly tokenFrom: 'keyring' | 'file' | 'command' | null;
  readonly hadCache: boolean;
  readonly unsent: number;
  readonly isDiscarded: boolean;
  readonly hasData: boolean;
}

const tokenWords = {
  keyring: 'the token, from the keyring',
  file: 'the token, from the file',
  command: 'the token command, from config.toml',
};

function report(outcome: Outcome, { json }: LogoutOptions, { output, environment }: LogoutPorts): void {
  if (json === true) output.json(jsonDocument(asJson(outcome)));
  else for (const line of linesOf(outcome)) output.text(`${line}\n`);
  if (environment.token !== null)
    output.remark(sanitizeLine('MSG_TUI_TOKEN is still set, and is used for this profile'));
}

const asJson = ({ profile, tokenFrom, hadCache, unsent, isDiscarded, hasData }: Outcome) => ({
  profile: profile.name,
  server: profile.server,
  removed: { token: tokenFrom, cache: hadCache, local_data: isDiscarded, unsent: isDiscarded ? unsent : 0 },
  kept: { local_data: hasData, unsent: hasData ? unsent : 0 },
});

const local = 'the names and notes that exist only here';

function linesOf({ profile, tokenFrom, hadCache, unsent, isDiscarded, hasData }: Outcome): readonly string[] {
  const texts = unsent === 0 ? [] : [unsent === 1 ? 'one unsent text' : `${unsent} unsent texts`];
  const removed = [
    ...(tokenFrom === null ? [] : [tokenWords[tokenFrom]]),
    ...(hadCache ? ['the cached messages'] : []),
    ...(isDiscarded ? [...texts, local] : []),
  ];
  const kept = [...(hasData ? [...texts, local] : []), 'the profile in config.toml'];
  return [
    `Removed: ${removed.length === 0 ? 'nothing' : removed.join('; ')}.`,
    `Kept: ${kept.join('; ')}.`,
    ...(hasData && unsent > 0
      ? [`msg-tui login --profile ${profile.name} opens them again; --discard-unsent removes them.`]
      : []),
  ];
}
