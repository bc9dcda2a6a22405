/** Reads the environment once and takes out of it what child processes must not see. */
import { checkToken, readTokenFile, tokenFileWarning } from './credentials.ts';
import { noSuchTheme, type ThemeChoice, themeOf } from './theme.ts';

/** `process.env`, or a copy of the parts that matter. */
export type Variables = Record<string, string | undefined>;

export interface Environment {
  readonly server: string | null;
  readonly token: string | null;
  /** Where the token was read. */
  readonly tokenSource: string;
  /** A warning for the user when others can read the token there; null otherwise. */
  readonly tokenWarning: string | null;
  /** Why MSG_TUI_TOKEN cannot be used, without its value. */
  readonly tokenProblem: string | null;
  /** A program and its arguments that print the token, from a flag; it goes before what is saved. */
  readonly tokenCommand: readonly string[] | null;
  readonly profile: string | null;
  readonly theme: ThemeChoice | null;
  /** Says that MSG_TUI_THEME names no theme; null when it does, or is not set. */
  readonly themeProblem: string | null;
  /** The variable that asks for no colours; NO_COLOR overrides FORCE_COLOR=0. */
  readonly noColor: 'NO_COLOR' | 'FORCE_COLOR' | null;
  /** FORCE_COLOR asks for colours, whatever TERM says that the terminal can do. */
  readonly forceColor: boolean;
  /** The command line of the user's editor (VISUAL, else EDITOR); null when neither is set. */
  readonly editor: string | null;
  /** Windows can be opened on the screen that the user sits at. */
  readonly hasDesktop: boolean;
  readonly terminal: TerminalVariables;
  readonly proxies: ProxyVariables;
  /** NODE_TLS_REJECT_UNAUTHORIZED=0: certificates would not be checked at all. */
  readonly tlsUnchecked: boolean;
  /** Whether Node writes a profile of this run (`--cpu-prof` and the like). */
  readonly isProfiled: boolean;
}

/** The variable as it is set: its address may be wrong, and may hold a password. */
export interface ProxyVariable {
  /** The name of the variable, as the user wrote it. */
  readonly variable: string;
  readonly url: string;
}

export interface ProxyVariables {
  /** For https servers; null when none is set. */
  readonly https: ProxyVariable | null;
  /** For http servers. */
  readonly http: ProxyVariable | null;
  readonly noProxy: string;
  /** HTTP_PROXY is set in upper case, which is not read. */
  readonly isHttpProxyIgnored: boolean;
}

export interface TerminalVariables {
  readonly term: string;
  readonly colorTerm: string;
  readonly program: string;
  readonly programVersion: string;
  /** COLORFGBG, as rxvt and Konsole set it: `15;0`. */
  readonly colors: string;
  readonly tmux: boolean;
  readonly screen: boolean;
  readonly ssh: boolean;
  /** Windows Terminal. */
  readonly windowsTerminal: boolean;
  /**
   * xterm and Windows Terminal use Alt-Enter themselves, for the full screen. macOS Terminal sends Enter for it, unless its
   * option to use Option as Meta is on, and no program can ask for that option.
   */
  readonly keepsAltEnter: boolean;
  /** The terminal that has set a variable of its own, which tmux keeps and ssh may hand on; '' where there is none. */
  readonly host: '' | 'kitty' | 'iterm2' | 'wezterm' | 'ghostty';
  /** The locale's character type: `en_GB.UTF-8`. */
  readonly locale: string;
}

/**
 * MSG_TUI_TOKEN is deleted from `env` (R-TOK-1), and so is FORCE_COLOR beside NO_COLOR, as Node would print a warning
 * about the two onto the screen.
 */
export function readEnvironment(env: Variables = process.env): Environment {
  const token = takeToken(env);
  const theme = textOf(env.MSG_TUI_THEME);
  const isThemeKnown = theme === null || themeOf(theme) !== null;
  return {
    server: textOf(env.MSG_TUI_SERVER),
    ...token,
    profile: textOf(env.MSG_TUI_PROFILE),
    theme: themeOf(theme),
    themeProblem: isThemeKnown ? null : `MSG_TUI_THEME: ${noSuchTheme(theme)}`,
    ...takeColours(env),
    editor: textOf(env.VISUAL) ?? textOf(env.EDITOR),
    hasDesktop: hasDesktop(env),
    terminal: readTerminal(env),
    proxies: proxiesOf(env),
    tlsUnchecked: env.NODE_TLS_REJECT_UNAUTHORIZED === '0',
    isProfiled: [...process.execArgv, env.NODE_OPTIONS ?? ''].some((option) => /--(cpu-)?prof\b/.test(option)),
  };
}

/**
 * Returns the environment with the token of `--token-file` instead of its own; unchanged when `file` is null.
 * @throws ConfigError
 */
export const withTokenFile = (environment: Environment, file: string | null): Environment =>
  file === null
    ? environment
    : {
        ...environment,
        token: readTokenFile(file),
        tokenSource: file,
        tokenWarning: tokenFileWarning(file),
        tokenProblem: null,
      };

function takeColours(env: Variables): Pick<Environment, 'noColor' | 'forceColor'> {
  if (textOf(env.NO_COLOR) !== null) {
    delete env.FORCE_COLOR;
    return { noColor: 'NO_COLOR', forceColor: false };
  }
  // As Node and chalk read it: also an empty value asks for colours.
  const forced = env.FORCE_COLOR?.trim().toLowerCase() ?? forcedByClicolor(env);
  const isOff = forced === '0' || forced === 'false';
  return { noColor: isOff ? 'FORCE_COLOR' : null, forceColor: forced !== undefined && !isOff };
}

/** CLICOLOR_FORCE, as programs of BSD and macOS read it. */
const forcedByClicolor = ({ CLICOLOR_FORCE: value }: Variables): string | undefined =>
  value === undefined || value === '' || value === '0' ? undefined : '1';

const tokenVariable = 'MSG_TUI_TOKEN';

type TokenParts = 'token' | 'tokenSource' | 'tokenWarning' | 'tokenProblem' | 'tokenCommand';

function takeToken(env: Variables): Pick<Environment, TokenParts> {
  const text = textOf(env.MSG_TUI_TOKEN);
  delete env.MSG_TUI_TOKEN;
  const none = { token: null, tokenSource: tokenVariable, tokenWarning: null, tokenProblem: null, tokenCommand: null };
  if (text === null) return none;
  const checked = checkToken(text);
  return 'token' in checked
    ? { ...none, token: checked.token }
    : { ...none, tokenProblem: `${tokenVariable}: ${checked.problem}` };
}

export function readTerminal(env: Variables = process.env): TerminalVariables {
  return {
    term: env.TERM ?? '',
    colorTerm: env.COLORTERM ?? '',
    program: env.TERM_PROGRAM ?? '',
    programVersion: env.TERM_PROGRAM_VERSION ?? '',
    colors: env.COLORFGBG ?? '',
    tmux: textOf(env.TMUX) !== null,
    // Over ssh only TERM arrives; tmux has no name with a dot.
    screen: textOf(env.STY) !== null || /^screen\./.test(env.TERM ?? ''),
    ssh: isSsh(env),
    windowsTerminal: textOf(env.WT_SESSION) !== null,
    keepsAltEnter:
      [env.WT_SESSION, env.XTERM_VERSION].some((value) => textOf(value) !== null) ||
      env.TERM_PROGRAM === 'Apple_Terminal',
    host: hostOf(env),
    locale: textOf(env.LC_ALL) ?? textOf(env.LC_CTYPE) ?? textOf(env.LANG) ?? '',
  };
}

function hostOf(env: Variables): TerminalVariables['host'] {
  if (textOf(env.KITTY_WINDOW_ID) !== null) return 'kitty';
  if (textOf(env.WEZTERM_PANE) !== null) return 'wezterm';
  if (textOf(env.GHOSTTY_RESOURCES_DIR) !== null) return 'ghostty';
  return env.LC_TERMINAL === 'iTerm2' || textOf(env.ITERM_SESSION_ID) !== null ? 'iterm2' : '';
}

/** Over ssh only forwarded windows count: others would open on a screen that the user does not see. */
function hasDesktop(env: Variables): boolean {
  if ([env.DISPLAY, env.WAYLAND_DISPLAY].some((value) => textOf(value) !== null)) return true;
  const isOwnScreen =
    process.platform === 'darwin' || process.platform === 'win32' || textOf(env.WSL_DISTRO_NAME) !== null;
  return isOwnScreen && !isSsh(env);
}

const isSsh = (env: Variables): boolean =>
  [env.SSH_TTY, env.SSH_CONNECTION, env.SSH_CLIENT].some((value) => textOf(value) !== null);

/**
 * Follows the rules of curl: lower case goes first, and ALL_PROXY counts where nothing else is set. HTTP_PROXY is not read in
 * upper case, since a web server sets it from a header of the request for the programs that it starts.
 */
function proxiesOf(env: Variables): ProxyVariables {
  const first = (...variables: readonly string[]): ProxyVariable | null => {
    const variable = variables.find((name) => textOf(env[name]) !== null);
    return variable === undefined ? null : { variable, url: textOf(env[variable]) ?? '' };
  };
  const https = first('https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY');
  const http = first('http_proxy', 'all_proxy', 'ALL_PROXY');
  const noProxy = textOf(env.no_proxy) ?? textOf(env.NO_PROXY) ?? '';
  return { https, http, noProxy, isHttpProxyIgnored: textOf(env.HTTP_PROXY) !== null };
}

/** Empty and blank count as not set. */
function textOf(value: string | undefined): string | null {
  const text = value?.trim() ?? '';
  return text === '' ? null : text;
}
