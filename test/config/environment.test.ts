import { describe, expect, onTestFinished, test } from 'vitest';
import { readEnvironment } from '../../src/config/environment.ts';

test('without variables every value is empty or the default', () => {
  expect(readEnvironment({})).toMatchObject({
    server: null,
    token: null,
    tokenProblem: null,
    tokenSource: 'MSG_TUI_TOKEN',
    profile: null,
    theme: null,
    themeProblem: null,
    noColor: null,
    forceColor: false,
    proxies: { https: null, http: null, noProxy: '', isHttpProxyIgnored: false },
    tlsUnchecked: false,
    isProfiled: false,
    terminal: { term: '', tmux: false, ssh: false },
  });
});

test('the token is read, trimmed and removed from the environment', () => {
  const env: Record<string, string | undefined> = { MSG_TUI_TOKEN: ' open-sesame\n', MSG_TUI_SERVER: 'https://a.b' };
  expect(readEnvironment(env)).toMatchObject({ token: 'open-sesame', tokenProblem: null, server: 'https://a.b' });
  expect(Object.keys(env)).toEqual(['MSG_TUI_SERVER']);
});

test('an impossible token is refused without being quoted, and removed as well', () => {
  const env: Record<string, string | undefined> = { MSG_TUI_TOKEN: 'ses\name' };
  const { token, tokenProblem } = readEnvironment(env);
  expect(token).toBeNull();
  expect(tokenProblem).toMatch(/^MSG_TUI_TOKEN: .*line breaks/);
  expect(tokenProblem).not.toContain('ses');
  expect(env).toEqual({});
});

test('empty variables count as not set', () => {
  const found = readEnvironment({ MSG_TUI_PROFILE: ' ', NO_COLOR: '', TMUX: '', HTTPS_PROXY: '', MSG_TUI_TOKEN: '' });
  expect(found).toMatchObject({
    profile: null,
    noColor: null,
    proxies: { https: null },
    token: null,
    tokenProblem: null,
  });
});

test('NO_COLOR overrides FORCE_COLOR, which is removed so that Node does not warn', () => {
  const env: Record<string, string | undefined> = { NO_COLOR: '1', FORCE_COLOR: '3' };
  expect(readEnvironment(env)).toMatchObject({ noColor: 'NO_COLOR', forceColor: false });
  expect(env).toEqual({ NO_COLOR: '1' });
});

test.each([
  ['3', true, null],
  ['', true, null],
  ['true', true, null],
  ['0', false, 'FORCE_COLOR'],
  ['false', false, 'FORCE_COLOR'],
  [undefined, false, null],
])('FORCE_COLOR=%j forces colours (%s) or turns them off (%s)', (value, forceColor, noColor) => {
  expect(readEnvironment({ FORCE_COLOR: value })).toMatchObject({ forceColor, noColor });
});

test('an unknown theme is reported with the known ones', () => {
  expect(readEnvironment({ MSG_TUI_THEME: 'light' })).toMatchObject({ theme: 'light', themeProblem: null });
  expect(readEnvironment({ MSG_TUI_THEME: 'purple' })).toMatchObject({
    theme: null,
    themeProblem:
      'MSG_TUI_THEME: there is no theme "purple"; use dark, light, high-contrast, colour-blind, ansi, none or the name of a file such as "mine.toml"',
  });
});

test('terminal, proxy and certificate check are read', () => {
  const found = readEnvironment({
    TERM: 'tmux-256color',
    COLORTERM: 'truecolor',
    TMUX: 'socket,1,0',
    SSH_CONNECTION: '1.2.3.4 5 6.7.8.9 22',
    LANG: 'en_GB.UTF-8',
    LC_ALL: 'C',
    https_proxy: 'http://lower:1',
    HTTPS_PROXY: 'http://upper:1',
    NO_PROXY: 'localhost',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
  });
  expect(found.terminal).toMatchObject({ term: 'tmux-256color', tmux: true, ssh: true, screen: false, locale: 'C' });
  expect(found.proxies).toMatchObject({
    https: { variable: 'https_proxy', url: 'http://lower:1' },
    http: null,
    noProxy: 'localhost',
  });
  expect(readEnvironment({ NODE_OPTIONS: '--no-warnings --cpu-prof' }).isProfiled).toBe(true);
  expect(found).toMatchObject({ tlsUnchecked: true });
});

test('GNU screen is known by STY, and over ssh by the name of the terminal, which tmux shares without the dot', () => {
  const isScreen = (env: Record<string, string>) => readEnvironment(env).terminal.screen;
  expect(isScreen({ STY: '1.pts-0', TERM: 'screen' })).toBe(true);
  expect(isScreen({ TERM: 'screen.xterm-256color' })).toBe(true);
  expect(isScreen({ TERM: 'screen-256color' })).toBe(false);
});

describe('a desktop', () => {
  const platform = (name: NodeJS.Platform): void => {
    const before = process.platform;
    Object.defineProperty(process, 'platform', { value: name });
    onTestFinished(() => void Object.defineProperty(process, 'platform', { value: before }));
  };

  test.each([
    ['linux', {}, false],
    ['linux', { DISPLAY: ':0' }, true],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, true],
    ['linux', { DISPLAY: 'localhost:10.0', SSH_TTY: '/dev/pts/1' }, true],
    ['linux', { WSL_DISTRO_NAME: 'Debian' }, true],
    ['linux', { WSL_DISTRO_NAME: 'Debian', SSH_TTY: '/dev/pts/1' }, false],
    ['darwin', {}, true],
    ['darwin', { SSH_CONNECTION: '::1 1 ::1 22' }, false],
    ['win32', {}, true],
  ] as const)('%s with %o: %s', (name, env, expected) => {
    platform(name);
    expect(readEnvironment({ ...env }).hasDesktop).toBe(expected);
  });
});
