/** `msg-tui profiles` lists the accounts of config.toml and chooses the default one. */
import { type Environment, readEnvironment } from '../../config/environment.ts';
import { type Config, loadConfig } from '../../config/file.ts';
import { currentPaths, type Paths, type ProfileDirectories, profileDirectories } from '../../config/paths.ts';
import type { ProfileSettings } from '../../config/profile-settings.ts';
import { loadProfile, noSuchProfile, setDefaultProfile } from '../../config/profiles.ts';
import { findSavedToken } from '../../config/token-store.ts';
import { normaliseBaseUrl } from '../../protocol/base-url.ts';
import { unsentIn } from '../../storage/inspect.ts';
import { readUnreadCounts } from '../../storage/unread-counts.ts';
import { sanitizeLine, sanitizeName } from '../../text/safe/sanitize.ts';
import { literal, type SafeText } from '../../text/safe-text.ts';
import { headerUnread } from '../messages/unread.ts';
import { jsonDocument, type Output, processOutput } from '../output/print.ts';
import { type Column, tableText } from '../output/table.ts';
import { ExitError, exitCodes, messageOf } from '../process/exit.ts';

export interface ListOptions {
  readonly json?: boolean;
}

interface Listed {
  readonly name: string;
  readonly server: string;
  readonly isDefault: boolean;
  /** The place of the token; null: signed out. */
  readonly tokenIn: 'keyring' | 'file' | 'command' | null;
  /** The number of unread messages in the cache; null where it cannot be read. */
  readonly unread: number | null;
  /** Null where it cannot be read. */
  readonly unsent: number | null;
  /** Why the files of the profile cannot be found or read; null when they can. */
  readonly problem: string | null;
}

/** The parts of the machine that the commands use; tests give them others. */
interface ProfilePorts {
  readonly environment: Pick<Environment, 'server' | 'profile'>;
  readonly paths: Paths;
  readonly output: Output;
}

const processPorts = (): ProfilePorts => ({
  environment: readEnvironment(),
  paths: currentPaths(),
  output: processOutput(),
});

export async function listProfiles({ json }: ListOptions, ports: ProfilePorts = processPorts()): Promise<void> {
  const { environment, paths, output } = ports;
  const { server } = environment;
  const config = await loadConfig(paths.configFile);
  const profiles = [...config.profiles.values()].map((profile) => look(paths, profile, defaultOf(config, environment)));
  if (server !== null) output.remark(sanitizeLine(`MSG_TUI_SERVER is set: without --profile, ${server} is used`));
  if (json === true) return output.json(jsonDocument({ profiles: profiles.map(asJson) }));
  if (profiles.length === 0) return output.remark(literal('no account is set up; msg-tui login adds one'));
  output.text(tableText(table, profiles.map(asRow), output.columns));
}

/** The profile that is used when nothing else names one, with MSG_TUI_PROFILE before config.toml. */
function defaultOf(config: Config, { profile }: ProfilePorts['environment']): string | null {
  const known = config.profiles.has(profile ?? '') ? profile : null;
  return loadProfile(config, { server: null, profile: known })?.name ?? null;
}

function look(paths: Paths, { name, server, tokenCommand }: ProfileSettings, defaultName: string | null): Listed {
  const nothing = { name, server, isDefault: name === defaultName, tokenIn: null, unread: null, unsent: 0 };
  const base = normaliseBaseUrl(server, { insecureHttp: true });
  if ('problem' in base) return { ...nothing, problem: base.problem };
  const holder = { server: base.url, profile: name };
  const directories = profileDirectories(paths, holder);
  const counts = { unread: unreadIn(directories), unsent: unsentIn(directories.data) };
  try {
    const kept = findSavedToken({ paths }, holder, { asItIs: true });
    const saved = kept === null ? null : 'entry' in kept ? 'keyring' : 'file';
    return { ...nothing, ...counts, tokenIn: tokenCommand === null ? saved : 'command', problem: null };
  } catch (error) {
    return { ...nothing, ...counts, problem: messageOf(error) };
  }
}

function unreadIn(directories: ProfileDirectories): number | null {
  try {
    return headerUnread(readUnreadCounts(directories)).total;
  } catch {
    // The chat repairs the file; `doctor` says what is wrong with it.
    return null;
  }
}

const asJson = ({ name, server, isDefault, tokenIn, unread, unsent }: Listed) => ({
  name,
  server,
  is_default: isDefault,
  is_signed_in: tokenIn !== null,
  token_in: tokenIn,
  unread,
  unsent,
});

const table: readonly Column[] = [
  { heading: literal('NAME'), least: 8 },
  { heading: literal('SERVER'), least: 12 },
  { heading: literal('TOKEN') },
  { heading: literal('UNREAD'), align: 'right' },
  { heading: literal('UNSENT'), align: 'right' },
  { heading: literal('DEFAULT') },
];

const tokenWords = {
  keyring: literal('in the keyring'),
  file: literal('in the file'),
  command: literal('by command'),
};

const asRow = ({ name, server, isDefault, tokenIn, unread, unsent, problem }: Listed): readonly SafeText[] => [
  sanitizeName(name),
  sanitizeLine(server),
  problem !== null ? sanitizeLine(problem) : tokenIn === null ? literal('signed out') : tokenWords[tokenIn],
  sanitizeLine(String(unread ?? '?')),
  sanitizeLine(String(unsent ?? '?')),
  literal(isDefault ? 'default' : ''),
];

/** @throws ExitError for a name that no profile has */
export async function useProfile(name: string, ports: ProfilePorts = processPorts()): Promise<void> {
  const { environment, output } = ports;
  const { configFile } = ports.paths;
  const config = await loadConfig(configFile);
  if (!config.profiles.has(name))
    throw new ExitError(exitCodes.usage, noSuchProfile(config, name).message, { name: 'unknown_profile' });
  await setDefaultProfile(configFile, name);
  if (environment.server !== null || environment.profile !== null)
    output.remark(literal('saved, but MSG_TUI_SERVER or MSG_TUI_PROFILE is set and overrides it'));
}
