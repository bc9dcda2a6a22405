/**
 * Chooses the profile to open; adds, changes, renames and removes profiles in config.toml without touching the rest of
 * it; and makes a name for a profile where the user gives none.
 */
import { renameTable, setInToml, unsetInToml } from './edit-toml.ts';
import type { Environment } from './environment.ts';
import { ConfigError, UnknownProfile } from './errors.ts';
import { type Config, changeConfigText, parseConfig } from './file.ts';
import { nameProbablyMeant, namesThereAre } from './profile-settings.ts';

export interface Profile {
  /** `environment`: MSG_TUI_SERVER names the server for this run. The token determines the directory. */
  readonly source: 'config' | 'environment';
  readonly name: string;
  readonly server: string;
  /** A program and its arguments that print the token; null where the token is saved, and for `environment`. */
  readonly tokenCommand: readonly string[] | null;
}

/**
 * MSG_TUI_SERVER, MSG_TUI_PROFILE, `default_profile`, the first profile: in this order; `withAccountFlags` puts `--profile`
 * before them. Null when nothing is configured at all. Throws `UnknownProfile` when a named profile is not there.
 */
export function loadProfile(config: Config, environment: Pick<Environment, 'server' | 'profile'>): Profile | null {
  if (environment.server !== null)
    return { source: 'environment', name: 'environment', server: environment.server, tokenCommand: null };
  const wanted = environment.profile ?? config.defaultProfile;
  const found = wanted === null ? [...config.profiles.values()][0] : config.profiles.get(wanted);
  if (found !== undefined) return { source: 'config', ...found };
  if (wanted === null) return null;
  throw noSuchProfile(config, wanted);
}

/** The error for a name that no profile has, with the names that there are. */
export const noSuchProfile = ({ file, profiles }: Config, name: string): UnknownProfile =>
  new UnknownProfile(
    file,
    null,
    `there is no profile ${JSON.stringify(name)}${nameProbablyMeant(name, profiles)}${namesThereAre(profiles)}`,
  );

export const profileNameRule = 'a profile name has 1 to 64 letters, digits, - and _';

export const isProfileName = (name: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(name);

/**
 * Appends `[profiles.NAME]`; the rest of the file stays as it is, comments too. The first profile of a new file becomes
 * the default. Does nothing when the same profile is there, whatever its name. Throws `ConfigError`.
 */
export async function addProfile(file: string, name: string, server: string): Promise<void> {
  await changeConfigText(file, async (text) => {
    const config = await parseConfig(file, text);
    const known = config.profiles.get(name);
    if (known?.server === server) return text;
    if (!isProfileName(name)) throw new ConfigError(file, null, profileNameRule);
    if (known !== undefined) {
      throw new ConfigError(file, null, `profile "${name}" already exists, for ${known.server}; choose another name`);
    }
    const start = text === '' ? `default_profile = "${name}"\n` : text.endsWith('\n') ? text : `${text}\n`;
    // A JSON string is a TOML basic string.
    const next = `${start}\n[profiles.${name}]\nserver = ${JSON.stringify(server)}\n`;
    await checkAppended(file, next, `${name} = { server = ${JSON.stringify(server)} }`);
    return next;
  });
}

/**
 * Throws where the text with the new table is no TOML: `profiles = { … }` takes no table after it. The line that the parser names
 * is not in the file of the user.
 */
async function checkAppended(file: string, text: string, inline: string): Promise<void> {
  try {
    await parseConfig(file, text);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(file, null, `the profile cannot be added in place; write ${inline} into profiles by hand`);
  }
}

/**
 * Sets or, for null, removes the command that prints the token of a profile. The rest of the file stays as it is. Does
 * nothing when it is so already. Throws `ConfigError`.
 */
export async function setTokenCommand(file: string, name: string, command: readonly string[] | null): Promise<void> {
  const path = ['profiles', name, 'token_command'];
  await changeConfigText(file, async (text) => {
    const next =
      command === null
        ? await unsetInToml(file, text, path)
        : await setInToml(file, text, path, `[${command.map((word) => JSON.stringify(word)).join(', ')}]`);
    if (next !== null) return next;
    throw new ConfigError(file, null, `${path.join('.')} cannot be changed in place; edit it by hand`);
  });
}

/** Makes a profile the default one. Throws `ConfigError`. */
export async function setDefaultProfile(file: string, name: string): Promise<void> {
  await changeConfigText(file, async (text) => {
    const next = await setInToml(file, text, ['default_profile'], JSON.stringify(name));
    if (next !== null) return next;
    throw new ConfigError(file, null, 'default_profile cannot be changed in place; edit it by hand');
  });
}

/** Removes `[profiles.NAME]`, and `default_profile` where it names it. Throws `ConfigError`. */
export async function removeProfile(file: string, name: string): Promise<void> {
  await changeConfigText(file, async (before) => {
    const { defaultProfile } = await parseConfig(file, before);
    const text = defaultProfile === name ? await unsetInToml(file, before, ['default_profile']) : before;
    const next = text === null ? null : await unsetInToml(file, text, ['profiles', name]);
    if (next !== null) return next;
    throw new ConfigError(file, null, `profiles.${name} cannot be removed in place; remove it by hand`);
  });
}

/** Renames `[profiles.NAME]`, and `default_profile` where it names it. Throws `ConfigError`. */
export async function renameProfile(file: string, name: string, to: string): Promise<void> {
  if (!isProfileName(to)) throw new ConfigError(file, null, profileNameRule);
  await changeConfigText(file, async (before) => {
    const { defaultProfile, profiles } = await parseConfig(file, before);
    if (profiles.has(to)) throw new ConfigError(file, null, `profile "${to}" already exists; choose another name`);
    const isDefault = defaultProfile === name;
    const text = isDefault ? await setInToml(file, before, ['default_profile'], JSON.stringify(to)) : before;
    const next = text === null ? null : await renameTable(file, text, ['profiles', name], to);
    if (next !== null) return next;
    throw new ConfigError(file, null, `profiles.${name} cannot be renamed in place; edit it by hand`);
  });
}

/** A name for the profile of this server, of the letters and digits of its host and path: `chat-example-com`. */
export const profileName = (server: string): string => {
  const { host, pathname } = new URL(server);
  return (
    `${host}${pathname}`
      .replace(/[^A-Za-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 64) || 'default'
  );
};
