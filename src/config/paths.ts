/** Where our files lie: the XDG base directories on Linux and macOS, AppData on Windows. */
import { createHash } from 'node:crypto';
import { userInfo } from 'node:os';
import { isAbsolute, posix, win32 } from 'node:path';
import type { Variables } from './environment.ts';

export interface Paths {
  readonly configFile: string;
  /** Outboxes, drafts, credentials: not to be lost. */
  readonly data: string;
  /** Messages seen: may be deleted at any time. */
  readonly cache: string;
  /** Logs. */
  readonly state: string;
  /** Sockets; under `state` where the system has no such place. */
  readonly runtime: string;
}

/** Not below the directory that the program happens to be started in: the words that wait would not be found again. */
function homeOf({ HOME = '' }: Variables): string {
  return isAbsolute(HOME) ? HOME : userInfo().homedir;
}

/** Pure but for the default of `home`. Relative values of XDG variables are ignored, as their specification says. */
export function paths(env: Variables, platform: string = process.platform, home: string = homeOf(env)): Paths {
  return platform === 'win32' ? windowsPaths(env, home) : xdgPaths(env, home);
}

/** Of this process. */
export const currentPaths = (): Paths => paths(process.env);

function xdgPaths(env: Variables, home: string): Paths {
  const base = (variable: string, otherwise: string): string => {
    const value = env[variable];
    const root = value !== undefined && posix.isAbsolute(value) ? value : posix.join(home, otherwise);
    return posix.join(root, 'msg-tui');
  };
  const state = base('XDG_STATE_HOME', '.local/state');
  const runtime = env.XDG_RUNTIME_DIR;
  return {
    configFile: env.MSG_TUI_CONFIG || posix.join(base('XDG_CONFIG_HOME', '.config'), 'config.toml'),
    data: base('XDG_DATA_HOME', '.local/share'),
    cache: base('XDG_CACHE_HOME', '.cache'),
    state,
    runtime:
      runtime !== undefined && posix.isAbsolute(runtime) ? posix.join(runtime, 'msg-tui') : posix.join(state, 'run'),
  };
}

function windowsPaths(env: Variables, home: string): Paths {
  const base = (variable: string, otherwise: string): string => {
    const value = env[variable];
    const root = value !== undefined && win32.isAbsolute(value) ? value : win32.join(home, 'AppData', otherwise);
    return win32.join(root, 'msg-tui');
  };
  const roaming = base('APPDATA', 'Roaming');
  const local = base('LOCALAPPDATA', 'Local');
  return {
    configFile: env.MSG_TUI_CONFIG || win32.join(roaming, 'config.toml'),
    data: win32.join(local, 'data'),
    cache: win32.join(local, 'cache'),
    state: win32.join(local, 'state'),
    runtime: win32.join(local, 'run'),
  };
}

/** A configured profile, or a server given by the environment, whose users are told apart by their tokens. */
export type Account =
  | { readonly server: string; readonly profile: string }
  | { readonly server: string; readonly token: string };

export interface ProfileDirectories {
  /** For outbox.db and the sender lock. */
  readonly data: string;
  /** For cache.db. */
  readonly cache: string;
}

/** Named by a hash: nothing of a server's address, a profile's name or a token becomes part of a file name. */
export function profileDirectories(all: Pick<Paths, 'data' | 'cache'>, account: Account): ProfileDirectories {
  const { origin, prefix } = splitServer(account.server);
  const who = 'profile' in account ? ['profile', account.profile] : ['token', digest(account.token)];
  const name = digest(JSON.stringify([origin, prefix, ...who])).slice(0, 32);
  return { data: join(all.data, name), cache: join(all.cache, name) };
}

/** Scheme, host and port, exactly as tokens are kept (R-ORIGIN). Throws `TypeError` on what is no URL. */
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

function join(root: string, name: string): string {
  return root.includes('\\') ? win32.join(root, 'profiles', name) : posix.join(root, 'profiles', name);
}
