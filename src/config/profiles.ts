/** Chooses the profile to open and adds new ones to config.toml without touching the rest of it. */
import { writeAtomically } from './atomic-write.ts';
import type { Environment } from './environment.ts';
import { ConfigError, systemCode } from './errors.ts';
import { type Config, parseConfig, readConfigText } from './file.ts';
import { among } from './profile-settings.ts';

export interface Profile {
  /** `environment`: MSG_TUI_SERVER names the server for this run. The token determines the directory. */
  readonly source: 'config' | 'environment';
  readonly name: string;
  readonly server: string;
}

/**
 * A name on the command line, MSG_TUI_SERVER, MSG_TUI_PROFILE, `default_profile`, the first profile: in this order.
 * Null when nothing is configured at all. Throws `ConfigError` when a named profile is not there.
 */
export function loadProfile(
  config: Config,
  environment: Pick<Environment, 'server' | 'profile'>,
  name: string | null = null,
): Profile | null {
  if (name === null && environment.server !== null) {
    return { source: 'environment', name: 'environment', server: environment.server };
  }
  const wanted = name ?? environment.profile ?? config.defaultProfile;
  const found = wanted === null ? [...config.profiles.values()][0] : config.profiles.get(wanted);
  if (found !== undefined) return { source: 'config', ...found };
  if (wanted === null) return null;
  throw new ConfigError(config.file, null, `there is no profile ${JSON.stringify(wanted)}${among(config.profiles)}`);
}

export const isProfileName = (name: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(name);

/**
 * Appends `[profiles.NAME]`; the rest of the file stays as it is, comments too. The first profile of a new file becomes
 * the default. Does nothing when the same profile is there. Throws `ConfigError`.
 */
export async function addProfile(file: string, name: string, server: string): Promise<void> {
  if (!isProfileName(name)) {
    throw new ConfigError(file, null, 'a profile name has 1 to 64 letters, digits, - and _');
  }
  const text = readConfigText(file);
  const config = await parseConfig(file, text);
  const known = config.profiles.get(name);
  if (known?.server === server) return;
  if (known !== undefined) {
    throw new ConfigError(file, null, `profile "${name}" is there already, for ${known.server}; choose another name`);
  }
  const start = text === '' ? `default_profile = "${name}"\n` : text.endsWith('\n') ? text : `${text}\n`;
  // A JSON string is a TOML basic string.
  const next = `${start}\n[profiles.${name}]\nserver = ${JSON.stringify(server)}\n`;
  const isWhole = (await parseConfig(file, next)).profiles.get(name)?.server === server;
  if (!isWhole) throw new ConfigError(file, null, 'the profile does not fit in; add it by hand');
  try {
    writeAtomically(file, next, 0o600);
  } catch (error) {
    throw new ConfigError(file, null, `the profile was not saved (${systemCode(error)})`);
  }
}
