/** Every key and variable that docs/configuration.md names makes a difference, and none is known that it does not name. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createAppearance } from '../../../src/cli/chat/appearance.ts';
import { chatSettings, settingsOf } from '../../../src/cli/config/chat-settings.ts';
import { findAccount, saveAccount } from '../../../src/cli/sign-in/find-account.ts';
import { readEnvironment, type Variables } from '../../../src/config/environment.ts';
import { loadConfig } from '../../../src/config/file.ts';
import { paths } from '../../../src/config/paths.ts';
import { settingIds } from '../../../src/config/settings-table.ts';
import { defaultSettings, type ThemeName } from '../../../src/state/model/settings.ts';
import { initialCapabilities } from '../../../src/terminal/capabilities.ts';
import { temporaryDirectory } from '../../storage/builders.ts';
import { fakeKeyring } from '../../support/system/fake-keyring.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/configuration.md'), 'utf8');
const [, keysPart = '', variablesPart = ''] = page.split(/^## /m);

/** The names in the first column of a table. */
const named = (part: string): readonly string[] =>
  [...part.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, n]) => n ?? ''),
  );

interface Turn {
  readonly config?: string;
  readonly env?: Variables;
}

/** What the chat would be like: the account with its settings, the colours, and whether the keyring is asked. */
async function chatWith({ config: text = '', env: given = {} }: Turn, home: string): Promise<unknown> {
  const env = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value?.replace('HOME', home)]));
  const all = paths(env, 'linux', home);
  write(all.configFile, text);
  const environment = readEnvironment({ ...env });
  const keyring = fakeKeyring('works');
  const options = { environment, paths: all, insecureHttp: true, keyring };
  const config = loadConfig(all.configFile);
  const { settings } = await chatSettings(environment, config);
  const { server, ...account } = await findAccount(options, config).catch((error: Error) => ({
    server: error.message,
  }));
  await saveAccount({ ...options, environment: readEnvironment({}) }, 'https://new.example', 'a-new-token');
  return {
    server,
    account,
    settings,
    keyring: keyring.asked,
    paths: all,
    theme: themeWith(environment, settings.theme),
  };
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** The marks of the styles in a terminal that says it has no colours. */
function themeWith(environment: ReturnType<typeof readEnvironment>, theme: ThemeName | null) {
  const facts = { term: 'vt100', isTty: true } as Parameters<typeof initialCapabilities>[0];
  const look = createAppearance(
    { capabilities: () => initialCapabilities(facts) },
    { ...environment, theme: () => theme, own: () => null, ascii: false },
    () => '',
  );
  return look.panes().look.theme.name;
}

const profiles = '[profiles.a]\nserver = "https://a.example"\n[profiles.b]\nserver = "https://b.example"\n';
const signedIn = { MSG_TUI_TOKEN: 'a-token-of-mine' };
const https = { ...signedIn, MSG_TUI_SERVER: 'https://chat.example' };
const http = { ...signedIn, MSG_TUI_SERVER: 'http://chat.example' };
const key = (text: string): readonly [Turn, Turn] => [
  { config: profiles, env: signedIn },
  { config: `${text}\n${profiles}`, env: signedIn },
];
const inTable = (text: string): readonly [Turn, Turn] => key(`[notify]\n${text}`);
const variable = (env: Variables, before: Variables = https, config = ''): readonly [Turn, Turn] => [
  { config, env: before },
  { config, env: { ...before, ...env } },
];

/** Without and with the setting. */
const turns: Readonly<Record<string, readonly [Turn, Turn]>> = {
  default_profile: key('default_profile = "b"'),
  theme: key('theme = "light"'),
  undo_send_seconds: key('undo_send_seconds = 5'),
  reveal_reading: key('reveal_reading = false'),
  resend: key('resend = "auto-after-check"'),
  keyring: key('keyring = false'),
  mouse: key('mouse = false'),
  density: key('density = "compact"'),
  text_width: key('text_width = 72'),
  glyphs: key('glyphs = "ascii"'),
  dim_unfocused: key('dim_unfocused = true'),
  reduced_motion: key('reduced_motion = true'),
  coach: key('coach = false'),
  'notify.method': inTable('method = "bell"'),
  'notify.privacy': inTable('privacy = "sender"'),
  'notify.quiet_hours': inTable('quiet_hours = "22:00-7:00"'),
  'notify.command': inTable('command = ["notify-send", "--", "{title}", "{body}"]'),
  'notify.while_focused': inTable('while_focused = true'),
  'notify.keywords': inTable('keywords = ["ferry"]'),
  'notify.title': inTable('title = false'),
  'hooks.arrival': key('[hooks]\narrival = ["on-message"]'),
  'hooks.mention': key('[hooks]\nmention = ["on-mention"]'),
  'hooks.failure': key('[hooks]\nfailure = ["on-failure"]'),
  'ledger.keep_days': key('[ledger]\nkeep_days = 30'),
  'keys.profile': key('[keys]\nprofile = "vim"'),
  'keys.bind': key('[keys.bind]\napp.quit = "ctrl+x"'),
  'keys.macros': key('[keys.macros.away]\nkeys = "ctrl+x"\nrun = ["conversation.pin"]'),
  pictures: key('pictures = "never"'),
  picture_protocol: key('picture_protocol = "blocks"'),
  polling: key('polling = "calm"'),
  'profiles.NAME.server': [
    { config: profiles, env: signedIn },
    { config: profiles.replace('a.example', 'c.example'), env: signedIn },
  ],
  MSG_TUI_SERVER: variable({ MSG_TUI_SERVER: 'https://other.example' }),
  MSG_TUI_TOKEN: variable({ MSG_TUI_TOKEN: 'a-token-of-another' }),
  MSG_TUI_PROFILE: variable({ MSG_TUI_PROFILE: 'b' }, signedIn, profiles),
  MSG_TUI_CONFIG: variable({ MSG_TUI_CONFIG: 'HOME/other.toml' }),
  MSG_TUI_THEME: variable({ MSG_TUI_THEME: 'light' }),
  NO_COLOR: variable({ NO_COLOR: '1' }, { ...https, FORCE_COLOR: '1' }),
  FORCE_COLOR: variable({ FORCE_COLOR: '1' }),
  CLICOLOR_FORCE: variable({ CLICOLOR_FORCE: '1' }),
  HTTPS_PROXY: variable({ HTTPS_PROXY: 'http://proxy:1' }),
  http_proxy: variable({ http_proxy: 'http://proxy:1' }, http),
  ALL_PROXY: variable({ ALL_PROXY: 'http://proxy:1' }),
  NO_PROXY: variable({ NO_PROXY: 'chat.example' }, { ...https, ALL_PROXY: 'http://proxy:1' }),
  XDG_CONFIG_HOME: variable({ XDG_CONFIG_HOME: 'HOME/other/config' }),
  XDG_DATA_HOME: variable({ XDG_DATA_HOME: 'HOME/other/data' }),
  XDG_CACHE_HOME: variable({ XDG_CACHE_HOME: 'HOME/other/cache' }),
  XDG_STATE_HOME: variable({ XDG_STATE_HOME: 'HOME/other/state' }),
};

/**
 * Set by terminals and systems, which other tests imitate; read when the editor is opened (test/cli/input/external-editor.test.ts)
 * or when somebody signs in (test/cli/accounts/login.test.ts); other spellings (test/cli/sign-in/choose-proxy.test.ts); read by the
 * server (test/config/server-database.test.ts).
 */
const notOurs = new Set([
  ...['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS', 'NODE_TLS_REJECT_UNAUTHORIZED', 'EDITOR', 'VISUAL'],
  ...['APPDATA', 'LOCALAPPDATA', 'HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'WSL_DISTRO_NAME', 'DISPLAY', 'WAYLAND_DISPLAY'],
  ...['COLORFGBG', 'COLORTERM', 'TERM', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION', 'LC_TERMINAL', 'STY', 'TMUX'],
  ...['GHOSTTY_RESOURCES_DIR', 'ITERM_SESSION_ID', 'KITTY_WINDOW_ID', 'WEZTERM_PANE', 'WT_SESSION', 'XTERM_VERSION'],
  ...['SSH_CLIENT', 'SSH_CONNECTION', 'SSH_TTY', 'all_proxy', 'https_proxy', 'no_proxy', 'profiles.NAME.token_command'],
  ...['MSG_TUI_DATABASE', 'PGDATABASE', 'PGHOST', 'PGPASSFILE', 'PGPASSWORD', 'PGPORT', 'PGSSLMODE', 'PGUSER'],
]);

test('the documented settings are those that are changed in this test', () => {
  const documented = [...named(keysPart), ...named(variablesPart)].filter((name) => !notOurs.has(name));
  expect([...documented].sort()).toEqual(Object.keys(turns).sort());
});

test('every known key is documented', () => {
  const documented = named(keysPart);
  expect(documented.filter((name) => !name.startsWith('profiles.NAME.'))).toEqual([...settingIds]);
});

test.each([
  ['quiet_hours = "22-7"', 'quiet_hours must be two different times of the day, as in quiet_hours = "22:00-07:00"'],
  ['quiet_hours = "24:00-07:00"', 'two different times'],
  ['quiet_hours = "07:00-07:00"', 'two different times'],
  ['command = "notify-send"', 'command must be a program and its arguments'],
  ['command = []', 'a program and its arguments'],
  ['command = ["a", 1]', 'a program and its arguments'],
  ['command = ["sh", "-c", "echo {body}"]', 'as arguments of their own'],
  ['command = ["{title}"]', 'as arguments of their own'],
  ['method = "command"', 'needs command = ["program", "argument"]'],
  ['method = "loud"', '"auto", "osc99"'],
])('[notify] %s is refused in one line', async (text, problem) => {
  const file = join(temporaryDirectory(), 'config.toml');
  writeFileSync(file, `[notify]\n${text}\n`);
  const error: Error = await loadConfig(file).then(
    () => new Error('accepted'),
    (thrown) => thrown,
  );
  expect(error.message).toContain(problem);
  expect(error.message).not.toContain('\n');
});

test.each(Object.entries(turns))('%s changes what the program does', async (_, [without, withIt]) => {
  const home = temporaryDirectory();
  const comparable = (found: unknown): string => JSON.stringify(found);
  const before = comparable(await chatWith(without, home));
  const same = comparable(await chatWith(without, home));
  expect(same).toBe(before);
  expect(comparable(await chatWith(withIt, home))).not.toBe(before);
});

test('with a config.toml that cannot be read the demo opens, and an account does not', async () => {
  const all = paths({}, 'linux', temporaryDirectory());
  write(all.configFile, 'theme = 1\n');
  const environment = readEnvironment({});
  const config = loadConfig(all.configFile);
  const { settings, problem } = await chatSettings(environment, config);
  expect({ ...settings, known: [] }).toEqual(defaultSettings);
  expect(problem).toContain('config.toml:1: theme must be');
  const options = { environment, paths: all, insecureHttp: false, keyring: fakeKeyring('works') };
  await expect(findAccount(options, config)).rejects.toThrow('config.toml:1: theme must be');
  write(all.configFile, 'theme = 1\nmouse = 3\nunheard_of = true\n');
  expect((await chatSettings(environment, loadConfig(all.configFile))).problem).toMatch(
    /config\.toml:1: theme must be .* \(and 2 more: see msg-tui config check\)$/,
  );
  write(all.configFile, 'unheard_of = true\n');
  expect((await chatSettings(environment, loadConfig(all.configFile))).problem).toMatch(
    /config\.toml:1: unknown key "unheard_of"; msg-tui config list prints those that there are$/,
  );
});

test('a file that sets nothing gives the defaults of the table, and does not need it', async () => {
  const file = join(temporaryDirectory(), 'config.toml');
  expect((await loadConfig(file)).values).toBeNull();
  writeFileSync(file, '# nothing is set\n');
  const { values, ...config } = await loadConfig(file);
  expect(values).not.toBeNull();
  expect({ ...settingsOf({ values }), known: [] }).toEqual(defaultSettings);
  expect(config).toMatchObject({ defaultProfile: null, keyring: true });
});
