/**
 * Every environment variable that the program reads. `msg-tui help environment`, the man page and docs/configuration.md
 * follow from it.
 */

export interface VariableRow {
  /** Variables of one meaning, as they are written. */
  readonly names: readonly string[];
  /** One line of plain text. */
  readonly about: string;
}

export const variables: readonly VariableRow[] = [
  { names: ['MSG_TUI_SERVER'], about: 'the address of the server, instead of that of a profile' },
  { names: ['MSG_TUI_TOKEN'], about: 'the token; it is not saved, and programs that msg-tui starts do not see it' },
  { names: ['MSG_TUI_PROFILE'], about: 'the profile to use; --profile overrides it, and MSG_TUI_SERVER as well' },
  { names: ['MSG_TUI_CONFIG'], about: 'the file to read in place of config.toml' },
  { names: ['MSG_TUI_THEME'], about: 'the theme' },
  {
    names: ['MSG_TUI_DATABASE'],
    about: 'the PostgreSQL database of serve, postgres://USER:PASSWORD@HOST/NAME; --database and --data override it',
  },
  {
    names: ['PGPASSWORD', 'PGPASSFILE', 'PGUSER', 'PGHOST', 'PGPORT', 'PGDATABASE', 'PGSSLMODE'],
    about: 'what that address leaves out, as in psql; the password is read from ~/.pgpass, too',
  },
  { names: ['VISUAL', 'EDITOR'], about: 'the editor for drafts and for config edit' },
  { names: ['NO_COLOR'], about: 'set to anything: no colours' },
  {
    names: ['FORCE_COLOR'],
    about: '0 or false: no colours; anything else: colours, also where TERM names a terminal without them',
  },
  { names: ['CLICOLOR_FORCE'], about: 'anything but 0: as FORCE_COLOR, which overrides it' },
  {
    names: ['TERM', 'COLORTERM', 'COLORFGBG'],
    about: 'which terminal this is, how many colours it has, and whether its background is dark',
  },
  {
    names: ['TERM_PROGRAM', 'TERM_PROGRAM_VERSION', 'LC_TERMINAL'],
    about: 'the name of the terminal, for pictures, notifications and keys',
  },
  {
    names: ['KITTY_WINDOW_ID', 'WEZTERM_PANE', 'GHOSTTY_RESOURCES_DIR', 'ITERM_SESSION_ID', 'WT_SESSION'],
    about: 'set by a terminal of that name, for pictures and notifications',
  },
  { names: ['XTERM_VERSION'], about: 'set by xterm, which keeps Alt-Enter for itself' },
  { names: ['TMUX', 'STY'], about: 'set in tmux and screen, which pass less on to the terminal' },
  { names: ['LC_ALL', 'LC_CTYPE', 'LANG'], about: 'the character set: without UTF-8, only ASCII is drawn' },
  {
    names: ['SSH_TTY', 'SSH_CONNECTION', 'SSH_CLIENT', 'DISPLAY', 'WAYLAND_DISPLAY', 'WSL_DISTRO_NAME'],
    about: 'whether a browser can open on the screen that you sit at',
  },
  { names: ['HTTPS_PROXY', 'https_proxy'], about: 'the proxy for https servers, http://HOST:PORT' },
  {
    names: ['http_proxy'],
    about: 'the proxy for http servers; HTTP_PROXY is not read, as in curl; loopback is never sent through a proxy',
  },
  {
    names: ['ALL_PROXY', 'all_proxy'],
    about:
      'the proxy when neither of the two is set; SOCKS proxies are not supported, and msg-tui then refuses to connect',
  },
  { names: ['NO_PROXY', 'no_proxy'], about: 'hosts and addresses to reach without a proxy' },
  { names: ['NODE_EXTRA_CA_CERTS'], about: 'a file of certificates to trust besides the built-in ones' },
  {
    names: ['NODE_TLS_REJECT_UNAUTHORIZED'],
    about: '0 would leave certificates unchecked: msg-tui refuses to connect then',
  },
  { names: ['NODE_OPTIONS'], about: 'options for Node; a profile that it writes is finished before msg-tui ends' },
  {
    names: ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'XDG_STATE_HOME'],
    about:
      'where configuration, drafts and tokens, cache, and crash reports with the findings of doctor are: see msg-tui paths',
  },
  { names: ['APPDATA', 'LOCALAPPDATA'], about: 'the same on Windows' },
  { names: ['HOME'], about: 'your home directory, where the XDG variables are not set' },
];
