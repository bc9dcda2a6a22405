/** Determines where the files of msg-tui are: in the XDG base directories on Linux and macOS, in AppData on Windows. */
import { createHash } from 'node:crypto';
import { userInfo } from 'node:os';
import { isAbsolute, posix, win32 } from 'node:path';
import type { Variables } from './environment.ts';

export interface Paths {
  readonly configFile: string;
  /** The folder of outboxes, drafts and credentials, which must not be lost. */
  readonly data: string;
  /** The folder of cached messages, which may be deleted at any time. */
  readonly cache: string;
  /** The folder of crash reports, and of what `doctor` has found out about terminals. */
  readonly state: string;
}

/** Never a path relative to the working directory: unsent texts would not be found again from another one. */
function homeOf({ HOME = '' }: Variables): string {
  return isAbsolute(HOME) ? HOME : userInfo().homedir;
}

/** Relative values of XDG variables are ignored, as their specification says. */
export function paths(env: Variables, platform: string = process.platform, home: string = homeOf(env)): Paths {
  const { isAbsolute, join } = platform === 'win32' ? win32 : posix;
  const base = (variable: string, otherwise: string): string => {
    const value = env[variable];
    return join(value !== undefined && isAbsolute(value) ? value : join(home, otherwise), 'msg-tui');
  };
  const configFile = (directory: string): string => env.MSG_TUI_CONFIG || join(directory, 'config.toml');
  if (platform !== 'win32')
    return {
      configFile: configFile(base('XDG_CONFIG_HOME', '.config')),
      data: base('XDG_DATA_HOME', '.local/share'),
      cache: base('XDG_CACHE_HOME', '.cache'),
      state: base('XDG_STATE_HOME', '.local/state'),
    };
  const local = base('LOCALAPPDATA', 'AppData/Local');
  return {
    configFile: configFile(base('APPDATA', 'AppData/Roaming')),
    data: join(local, 'data'),
    cache: join(local, 'cache'),
    state: join(local, 'state'),
  };
}

/** The paths of this process. */
export const currentPaths = (): Paths => paths(process.env);

/** A configured profile, or a server given by the environment, whose users are distinguished by their tokens. */
export type AccountKey =
  | { readonly server: string; readonly profile: string }
  | { readonly server: string; readonly token: string };

export interface ProfileDirectories {
  /** For outbox.db and the sender lock. */
  readonly data: string;
  /** For cache.db. */
  readonly cache: string;
}

/** Named by a hash: nothing of a server's address, a profile's name or a token becomes part of a file name. */
export function profileDirectories(all: Pick<Paths, 'data' | 'cache'>, account: AccountKey): ProfileDirectories {
  const { origin, prefix } = splitServer(account.server);
  const who = 'profile' in account ? ['profile', account.profile] : ['token', digest(account.token)];
  const name = digest(JSON.stringify([origin, prefix, ...who])).slice(0, 32);
  return { data: join(accountsFolder(all.data), name), cache: join(accountsFolder(all.cache), name) };
}

/** Scheme, host and port, exactly as tokens are saved (R-ORIGIN). Throws `TypeError` on what is no URL. */
export function originOf(server: string): string {
  return splitServer(server).origin;
}

function splitServer(server: string): { readonly origin: string; readonly prefix: string } {
  const url = new URL(server);
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '') };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The folder that has a directory for each account. @param root `data` or `cache` of `Paths` */
export const accountsFolder = (root: string): string => join(root, 'profiles');

/** The paths of Windows have backslashes, also where the process that asks runs elsewhere. */
const join = (...parts: readonly [string, ...string[]]): string =>
  (parts[0].includes('\\') ? win32 : posix).join(...parts);
