/** Reads the environment once and takes out of it what child processes must not see. */
import { checkToken, readTokenFile } from './credentials.ts';

/** `process.env`, or a copy of the parts that matter. */
export type Variables = Record<string, string | undefined>;

export interface Environment {
  readonly server: string | null;
  readonly token: string | null;
  /** Where the token was read. */
  readonly tokenSource: string;
  /** Why MSG_TUI_TOKEN cannot be used, without its value. */
  readonly tokenProblem: string | null;
  readonly profile: string | null;
  readonly config: string | null;
  readonly theme: string | null;
  readonly noColor: boolean;
  /** The value of FORCE_COLOR; null when it is not set or NO_COLOR overrides it. */
  readonly forceColor: string | null;
  readonly screenReader: boolean;
  /** Windows can be opened on the screen that the user sits at. */
  readonly hasDesktop: boolean;
  readonly terminal: TerminalVariables;
  /** For requests to https servers; null when none is set. */
  readonly proxy: { readonly url: string; readonly noProxy: string } | null;
  /** NODE_TLS_REJECT_UNAUTHORIZED=0: certificates would not be checked at all. */
  readonly tlsUnchecked: boolean;
  /** Node writes a profile of this run. */
  readonly isProfiled: boolean;
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
  /** The locale's character type: `en_GB.UTF-8`. */
  readonly locale: string;
}

/**
 * MSG_TUI_TOKEN is deleted from `env` (reliability.md R-TOK-1), and so is FORCE_COLOR beside NO_COLOR, as Node
 * would print a warning about the two into the screen.
 */
export function readEnvironment(env: Variables = process.env): Environment {
  const token = takeToken(env);
  const noColor = textOf(env.NO_COLOR) !== null;
  if (noColor) delete env.FORCE_COLOR;
  return {
    server: textOf(env.MSG_TUI_SERVER),
    ...token,
    profile: textOf(env.MSG_TUI_PROFILE),
    config: textOf(env.MSG_TUI_CONFIG),
    theme: textOf(env.MSG_TUI_THEME),
    noColor,
    forceColor: env.FORCE_COLOR ?? null,
    screenReader: isOn(env.INK_SCREEN_READER),
    hasDesktop: hasDesktop(env),
    terminal: readTerminal(env),
    proxy: proxyOf(env),
    tlsUnchecked: env.NODE_TLS_REJECT_UNAUTHORIZED === '0',
    isProfiled: [...process.execArgv, env.NODE_OPTIONS ?? ''].some((option) => /--(cpu-)?prof\b/.test(option)),
  };
}

/**
 * With the token of `--token-file` in the place of the environment's; null: as it is.
 * @throws ConfigError
 */
export const withTokenFile = (environment: Environment, file: string | null): Environment =>
  file === null ? environment : { ...environment, token: readTokenFile(file), tokenSource: file, tokenProblem: null };

const tokenVariable = 'MSG_TUI_TOKEN';

function takeToken(env: Variables): Pick<Environment, 'token' | 'tokenSource' | 'tokenProblem'> {
  const text = textOf(env.MSG_TUI_TOKEN);
  delete env.MSG_TUI_TOKEN;
  const none = { token: null, tokenSource: tokenVariable, tokenProblem: null };
  if (text === null) return none;
  const checked = checkToken(text);
  return 'token' in checked
    ? { ...none, token: checked.token }
    : { ...none, tokenProblem: `${tokenVariable}: ${checked.problem}` };
}

/** Takes nothing out of it. */
export function readTerminal(env: Variables = process.env): TerminalVariables {
  return {
    term: env.TERM ?? '',
    colorTerm: env.COLORTERM ?? '',
    program: env.TERM_PROGRAM ?? '',
    programVersion: env.TERM_PROGRAM_VERSION ?? '',
    colors: env.COLORFGBG ?? '',
    tmux: textOf(env.TMUX) !== null,
    screen: textOf(env.STY) !== null,
    ssh: isSsh(env),
    windowsTerminal: textOf(env.WT_SESSION) !== null,
    locale: textOf(env.LC_ALL) ?? textOf(env.LC_CTYPE) ?? textOf(env.LANG) ?? '',
  };
}

/** Over ssh only what forwards windows counts: elsewhere they would open where nobody looks. */
function hasDesktop(env: Variables): boolean {
  if ([env.DISPLAY, env.WAYLAND_DISPLAY].some((value) => textOf(value) !== null)) return true;
  const isOwnScreen =
    process.platform === 'darwin' || process.platform === 'win32' || textOf(env.WSL_DISTRO_NAME) !== null;
  return isOwnScreen && !isSsh(env);
}

const isSsh = (env: Variables): boolean =>
  [env.SSH_TTY, env.SSH_CONNECTION, env.SSH_CLIENT].some((value) => textOf(value) !== null);

/** Lower case wins, as in curl. */
function proxyOf(env: Variables): Environment['proxy'] {
  const url = textOf(env.https_proxy) ?? textOf(env.HTTPS_PROXY);
  return url === null ? null : { url, noProxy: env.no_proxy ?? env.NO_PROXY ?? '' };
}

/** Empty and blank count as not set. */
function textOf(value: string | undefined): string | null {
  const text = value?.trim() ?? '';
  return text === '' ? null : text;
}

function isOn(value: string | undefined): boolean {
  return !['', '0', 'false', 'no', 'off'].includes((value ?? '').trim().toLowerCase());
}
