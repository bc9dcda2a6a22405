/** `msg-tui profiles rename` and `profiles remove`. */
import { existsSync, renameSync } from 'node:fs';
import { readEnvironment } from '../../config/environment.ts';
import { type Config, loadConfig } from '../../config/file.ts';
import { KeyringError, systemKeyring } from '../../config/keyring.ts';
import { currentPaths, type ProfileDirectories } from '../../config/paths.ts';
import type { ProfileSettings } from '../../config/profile-settings.ts';
import * as profiles from '../../config/profiles.ts';
import { findSavedToken, forgetToken, type Holder, readEntry, saveToken } from '../../config/token-store.ts';
import { ownContentIn, unsentIn } from '../../storage/inspect.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal } from '../../text/safe-text.ts';
import { processOutput } from '../output/print.ts';
import { ExitError, exitCodes, messageOf } from '../process/exit.ts';
import type { LoginPorts } from './login.ts';
import { removedWords } from './logout.ts';
import { filesOf, hasNoFiles, lockProfile, removeDirectory, removeTokenOfProfile } from './profile-files.ts';

export interface RemoveOptions {
  readonly discardUnsent?: boolean;
}

type Ports = Pick<LoginPorts, 'environment' | 'paths' | 'keyring' | 'output'>;

const processPorts = (): Ports => ({
  environment: readEnvironment(),
  paths: currentPaths(),
  keyring: systemKeyring,
  output: processOutput(),
});

/** Removes everything that belongs to the profile from this machine. @throws ExitError */
export async function removeProfile(name: string, options: RemoveOptions, ports = processPorts()): Promise<void> {
  const { paths } = ports;
  const profile = known(await loadConfig(paths.configFile), name);
  if (hasNoFiles(profile)) return removeFromConfig(name, ports);
  const files = filesOf(paths, profile);
  const unsent = unsentIn(files.directories.data);
  const hasNames = ownContentIn(files.directories.data)?.hasNames ?? unsent === null;
  if (unsent !== 0 && options.discardUnsent !== true) throw new ExitError(exitCodes.failure, stillUnsent(unsent));
  const unlock = lockProfile(files, 'nothing was removed');
  let tokenFrom: 'keyring' | 'file' | 'command' | null;
  let hadCache: boolean;
  try {
    tokenFrom = (await removeTokenOfProfile(files, ports)) ?? (profile.tokenCommand === null ? null : 'command');
    await profiles.removeProfile(paths.configFile, name);
    hadCache = removeDirectory(files.directories.cache);
  } finally {
    unlock();
  }
  const isDiscarded = removeDirectory(files.directories.data);
  const words = removedWords({ tokenFrom, hadCache, unsent, hasNames, isDiscarded });
  const removed = sanitizeLine([...words, `the profile "${name}" in config.toml`].join('; '));
  ports.output.text(`Removed: ${removed}.\n`);
  tellOfVariables(ports);
}

/** What the profile had under an earlier, right address cannot be found: nothing says which one it was. */
async function removeFromConfig(name: string, ports: Ports): Promise<void> {
  await profiles.removeProfile(ports.paths.configFile, name);
  ports.output.remark(
    literal(
      'the profile was removed from config.toml; files saved for it under an earlier address were kept, because its address is not valid',
    ),
  );
  tellOfVariables(ports);
}

/** @throws ExitError for a name that no profile has */
function known(config: Config, name: string): ProfileSettings {
  const found = config.profiles.get(name);
  if (found !== undefined) return found;
  const { message } = profiles.noSuchProfile(config, name);
  throw new ExitError(exitCodes.usage, message, { name: 'unknown_profile' });
}

/** @param unsent null: their number cannot be read */
const stillUnsent = (unsent: number | null): string =>
  unsent === null
    ? 'nothing was removed: the outbox of the profile cannot be read, and may have unsent texts; ' +
      'msg-tui doctor says what is wrong with it, and --discard-unsent removes it'
    : `nothing was removed: the profile has ${unsent === 1 ? 'one unsent text' : `${unsent} unsent texts`}; ` +
      `send or discard ${unsent === 1 ? 'it' : 'them'} first, or give --discard-unsent`;

/** Renames the profile, with its token, cache, drafts and outbox. @throws ExitError */
export async function renameProfile(name: string, to: string, ports = processPorts()): Promise<void> {
  const { paths } = ports;
  const config = await loadConfig(paths.configFile);
  const profile = known(config, name);
  if (!profiles.isProfileName(to)) throw new ExitError(exitCodes.usage, profiles.profileNameRule);
  if (config.profiles.has(to))
    throw new ExitError(exitCodes.usage, `profile "${to}" already exists; choose another name`);
  const before = filesOf(paths, profile);
  const after = filesOf(paths, { ...profile, name: to });
  lockProfile(before, 'nothing was renamed')();
  await copyToken(before.holder, after.holder, config, ports);
  try {
    move(before.directories, after.directories);
    await profiles.renameProfile(paths.configFile, name, to).catch((error: unknown) => {
      move(after.directories, before.directories);
      throw error;
    });
  } catch (error) {
    await forgetToken(ports, after.holder);
    throw error;
  }
  await forgetToken(ports, before.holder).catch(() => ports.output.remark(literal('the keyring keeps the old entry')));
  tellOfVariables(ports);
}

async function copyToken(from: Holder, to: Holder, config: Config, ports: Ports): Promise<void> {
  const kept = findSavedToken(ports, from);
  if (kept === null) return;
  try {
    const token = 'entry' in kept ? await readEntry(ports.keyring, kept.entry) : kept.token;
    await saveToken({ ...ports, usesKeyring: config.keyring && 'entry' in kept }, to, token);
  } catch (error) {
    if (!(error instanceof KeyringError)) throw error;
    const problem = `nothing was renamed: the keyring keeps the token (${error.message}); unlock it and run this again`;
    throw new ExitError(exitCodes.failure, problem);
  }
}

/** Moves the directories; those of a former profile with the new name stay. @throws ExitError with nothing moved */
function move(from: ProfileDirectories, to: ProfileDirectories): void {
  const pairs = (['data', 'cache'] as const).map((kind) => ({ from: from[kind], to: to[kind] }));
  const taken = pairs.find((one) => existsSync(one.from) && existsSync(one.to));
  if (taken !== undefined)
    throw new ExitError(
      exitCodes.failure,
      `nothing was renamed: ${taken.to} has data of a former profile of that name`,
    );
  const moved: typeof pairs = [];
  try {
    for (const one of pairs) {
      if (!existsSync(one.from)) continue;
      renameSync(one.from, one.to);
      moved.push(one);
    }
  } catch (error) {
    for (const one of moved) renameSync(one.to, one.from);
    throw new ExitError(exitCodes.failure, `nothing was renamed: ${messageOf(error)}`);
  }
}

function tellOfVariables({ environment, output }: Ports): void {
  if (environment.server !== null || environment.profile !== null)
    output.remark(literal('MSG_TUI_SERVER or MSG_TUI_PROFILE is set and overrides config.toml'));
}
