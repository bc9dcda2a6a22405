import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { originOf, paths, profileDirectories } from '../../src/config/paths.ts';

test('without variables, the directories are those of the XDG specification', () => {
  expect(paths({}, 'linux', '/home/ann')).toEqual({
    configFile: '/home/ann/.config/msg-tui/config.toml',
    data: '/home/ann/.local/share/msg-tui',
    cache: '/home/ann/.cache/msg-tui',
    state: '/home/ann/.local/state/msg-tui',
  });
});

test('variables change the directories, on macOS too, and relative paths are ignored', () => {
  const env = {
    XDG_CONFIG_HOME: '/c',
    XDG_DATA_HOME: 'relative',
    XDG_CACHE_HOME: '/k',
    XDG_STATE_HOME: '',
  };
  expect(paths(env, 'darwin', '/h')).toEqual({
    configFile: '/c/msg-tui/config.toml',
    data: '/h/.local/share/msg-tui',
    cache: '/k/msg-tui',
    state: '/h/.local/state/msg-tui',
  });
});

test('MSG_TUI_CONFIG is the path of the file itself', () => {
  expect(paths({ MSG_TUI_CONFIG: 'here.toml' }, 'linux', '/h').configFile).toBe('here.toml');
});

test('on Windows the directories are in AppData', () => {
  const env = { APPDATA: 'C:\\Users\\ann\\AppData\\Roaming' };
  const all = paths(env, 'win32', 'C:\\Users\\ann');
  expect(all.configFile).toBe('C:\\Users\\ann\\AppData\\Roaming\\msg-tui\\config.toml');
  expect(all.cache).toBe('C:\\Users\\ann\\AppData\\Local\\msg-tui\\cache');
});

const all = { data: '/d', cache: '/k' };
const directory = (server: string, profile: string) => profileDirectories(all, { server, profile }).data;

test('one account has one directory, however its server address is written', () => {
  const same = directory('https://chat.example.com', 'work');
  expect(directory('https://CHAT.example.com:443/', 'work')).toBe(same);
  expect(directory('https://chat.example.com/v1', 'work')).toBe(same);
  expect(same).toMatch(/^\/d\/profiles\/[0-9a-f]{32}$/);
});

test('other servers, path prefixes, profiles and tokens have other directories, and none is part of a name', () => {
  const token = (server: string, value: string) => profileDirectories(all, { server, token: value }).data;
  const names = [
    directory('https://chat.example.com', 'work'),
    directory('https://chat.example.com', 'home'),
    directory('https://chat.example.com/team', 'work'),
    directory('https://chat.example.com:8443', 'work'),
    directory('http://chat.example.com', 'work'),
    token('https://chat.example.com', 'work'),
    token('https://chat.example.com', 'sesame'),
  ];
  expect(new Set(names).size).toBe(names.length);
  expect(names.join()).not.toMatch(/example|work|sesame/);
  expect(profileDirectories(all, { server: 'https://a.b', profile: 'x' }).cache).toMatch(/^\/k\/profiles\//);
});

test('a token belongs to a scheme, host and port', () => {
  expect(originOf('https://chat.example.com/team/v1')).toBe('https://chat.example.com');
  expect(originOf('http://127.0.0.1:8787/')).toBe('http://127.0.0.1:8787');
});

test.each(['', 'relative', './here'])('a HOME that is not an absolute path (%j) is not used', (HOME) => {
  const { data, configFile } = paths({ HOME }, 'linux');
  expect(data).toBe(join(userInfo().homedir, '.local/share/msg-tui'));
  expect(configFile).toBe(join(userInfo().homedir, '.config/msg-tui/config.toml'));
});
