/** Determines what the terminal can do, from the environment and from its answers. */
import type { ReplyEvent } from './events.ts';
import { notificationQuery } from './notification.ts';

/** Facts of the environment; `config` reads them. */
export interface TerminalFacts {
  readonly term: string | undefined;
  readonly colorTerm: string | undefined;
  readonly termProgram: string | undefined;
  /** The terminal that its own variables name, also within tmux; '' where none does. */
  readonly host: string;
  /** LC_ALL, LC_CTYPE or LANG, the first that is set. */
  readonly locale: string | undefined;
  readonly colorFgBg: string | undefined;
  readonly isTmux: boolean;
  /** Whether the program runs in GNU screen. */
  readonly isScreen: boolean;
  readonly isSsh: boolean;
  readonly isWindowsTerminal: boolean;
  readonly isWindows: boolean;
  readonly isTty: boolean;
}

/** What the terminal can do, as far as the environment and its answers show it. */
export interface TerminalCapabilities {
  /** Whether a full screen cannot be drawn, because there is no terminal or it cannot move its cursor. */
  readonly isDumb: boolean;
  readonly colours: 'truecolor' | '256' | '16' | 'none';
  readonly isUnicode: boolean;
  /** When false, only ASCII may be sent: each byte is a character then, and 0x80 to 0x9f are controls. */
  readonly isUtf8: boolean;
  readonly background: 'light' | 'dark' | 'unknown';
  readonly kittyKeyboard: boolean;
  /**
   * How the terminal draws pictures itself: in the place of placeholder characters as kitty and Ghostty do, from a file as
   * iTerm2 does, or from sixels.
   */
  readonly pictures: 'kitty' | 'iterm2' | 'sixel' | 'none';
  /** Whether text does not cover sixels, as in Konsole: a picture that has moved would stay where it was. */
  readonly keepsSixels: boolean;
  /** The pixels of a cell; null until the terminal has reported them. */
  readonly cell: { readonly width: number; readonly height: number } | null;
  readonly tmux: boolean;
  /** Whether the program runs in tmux or GNU screen, which pass no picture on to the outer terminal by default. */
  readonly isMultiplexed: boolean;
  /** Whether the terminal has answered the question about OSC 99, by which it shows notifications. */
  readonly osc99: boolean;
}

const truecolorPrograms = /^(iTerm\.app|WezTerm|vscode|ghostty|Hyper|rio|WarpTerminal|mintty)$/i;
const truecolorTerms = /(kitty|ghostty|foot|alacritty|wezterm|direct)/;

export function initialCapabilities(facts: TerminalFacts): TerminalCapabilities {
  const term = facts.term ?? '';
  const isDumb = !facts.isTty || term === 'dumb' || (term === '' && !facts.isWindows);
  const isLinuxConsole = term === 'linux';
  const isMultiplexed = facts.isTmux || facts.isScreen || /^(screen|tmux)/.test(term);
  return {
    isDumb,
    colours: isDumb ? 'none' : coloursOf(facts, term),
    isUnicode: !isLinuxConsole && drawsUnicode(facts),
    isUtf8: drawsUnicode(facts) || readsUtf8(facts, term),
    background: backgroundOfEnvironment(facts.colorFgBg),
    kittyKeyboard: false,
    pictures: isMultiplexed ? 'none' : /kitty|ghostty/.test(term) ? 'kitty' : picturesOf(facts.termProgram ?? ''),
    keepsSixels: false,
    cell: null,
    tmux: facts.isTmux,
    isMultiplexed,
    osc99: false,
  };
}

/**
 * @param screen in cells
 * @returns the same object when the answer says nothing new
 */
export function learnFromReply(
  known: TerminalCapabilities,
  event: ReplyEvent,
  screen: Size = noSize,
): TerminalCapabilities {
  if (event.reply === 'kitty-keyboard') return known.kittyKeyboard ? known : { ...known, kittyKeyboard: true };
  if (event.reply === 'notifications') return known.osc99 ? known : { ...known, osc99: true };
  if (event.reply === 'background') {
    return withBackground(known, isLight(event.rgb));
  }
  if (event.reply === 'colour-scheme') return withBackground(known, event.isLight);
  return learnAboutPictures(known, event, screen);
}

interface Size {
  readonly columns: number;
  readonly rows: number;
}

const noSize: Size = { columns: 0, rows: 0 };

function learnAboutPictures(
  known: TerminalCapabilities,
  event: ReplyEvent,
  { columns, rows }: Size,
): TerminalCapabilities {
  if (event.reply === 'cell-size') return withCell(known, event.width, event.height);
  if (event.reply === 'text-area')
    return withCell(known, Math.floor(event.width / columns), Math.floor(event.height / rows));
  if (event.reply === 'version') return withVersion(known, event.text);
  if (event.reply !== 'device-attributes' || !event.attributes.includes(4)) return known;
  const isPossible = known.pictures === 'none' && !known.isMultiplexed && !known.keepsSixels;
  return isPossible ? { ...known, pictures: 'sixel' } : known;
}

/** TERM_PROGRAM may be that of a terminal in which this one was started; the answer comes from the terminal itself. */
function withVersion(known: TerminalCapabilities, version: string): TerminalCapabilities {
  if (/^(tmux|screen)\b/i.test(version)) return { ...known, isMultiplexed: true, pictures: 'none' };
  if (isOldKitty(version)) return known.pictures === 'none' ? known : { ...known, pictures: 'none' };
  if (known.isMultiplexed || known.pictures === 'kitty') return known;
  if (/^Konsole\b/i.test(version)) return { ...known, pictures: 'none', keepsSixels: true };
  const pictures = picturesOf(version);
  if (pictures === known.pictures || (pictures === 'none' && known.pictures === 'sixel')) return known;
  return { ...known, pictures };
}

/** kitty draws pictures in the place of placeholder characters since 0.28; before, it draws a box for each of them. */
function isOldKitty(version: string): boolean {
  const minor = /^kitty\(0\.(\d+)/i.exec(version)?.[1];
  return minor !== undefined && Number(minor) < 28;
}

/** @param name the name of the terminal program, with or without its version */
function picturesOf(name: string): 'kitty' | 'iterm2' | 'none' {
  if (/^(kitty|ghostty)\b/i.test(name)) return 'kitty';
  return /^(iTerm2|iTerm\.app|WezTerm|mintty)\b/i.test(name) ? 'iterm2' : 'none';
}

/** Ignores sizes outside of these limits, in which nobody could read a text. */
function withCell(known: TerminalCapabilities, width: number, height: number): TerminalCapabilities {
  const isCell = width >= 3 && width <= 64 && height >= 6 && height <= 128;
  if (!isCell || (known.cell?.width === width && known.cell.height === height)) return known;
  return { ...known, cell: { width, height } };
}

/** Asks for the size of all cells in pixels, and then for that of one, which is exact where a terminal answers it. */
export const cellQuery = '\x1b[14t\x1b[16t';

function withBackground(known: TerminalCapabilities, isLight: boolean): TerminalCapabilities {
  const background = isLight ? 'light' : 'dark';
  return known.background === background ? known : { ...known, background };
}

/** Asks for the background; empty for the Linux console, which would draw the question. */
export const backgroundQuery = ({ term }: TerminalFacts): string => (term === 'linux' ? '' : '\x1b]11;?\x1b\\');

/**
 * The questions that `Screen` sends. DA1 comes last, because every terminal answers it: what was not answered before it
 * never will be.
 */
export function queriesFor(facts: TerminalFacts): string {
  if (facts.term === 'linux') return '\x1b[c';
  return `\x1b[?u${backgroundQuery(facts)}${notificationQuery}\x1b[>0q${cellQuery}\x1b[c`;
}

/** GNU screen hands on the COLORTERM of the terminal around it, but takes 24-bit colours for other attributes. */
function coloursOf(facts: TerminalFacts, term: string): TerminalCapabilities['colours'] {
  const colours = coloursNamed(facts, term);
  return colours === 'truecolor' && facts.isScreen ? '256' : colours;
}

function coloursNamed(facts: TerminalFacts, term: string): TerminalCapabilities['colours'] {
  if (/^(truecolor|24bit)$/i.test(facts.colorTerm ?? '')) return 'truecolor';
  if (facts.isWindowsTerminal || truecolorTerms.test(term) || truecolorPrograms.test(facts.termProgram ?? ''))
    return 'truecolor';
  if (/256/.test(term) || facts.termProgram === 'Apple_Terminal') return '256';
  return /^(vt\d|ansi-m|xterm-mono)/.test(term) ? 'none' : '16';
}

function drawsUnicode(facts: TerminalFacts): boolean {
  if (facts.isWindows) return facts.isWindowsTerminal || facts.termProgram !== undefined;
  return /utf-?8/i.test(facts.locale ?? '') || facts.termProgram === 'Apple_Terminal';
}

/**
 * Whether the terminal reads UTF-8 whatever the locale says. Windows' console is given characters, and the programs
 * named here know only UTF-8. Without a locale, as in containers and over ssh, the terminal is taken for a modern one.
 */
function readsUtf8(facts: TerminalFacts, term: string): boolean {
  return (
    (facts.locale ?? '') === '' ||
    facts.isWindows ||
    facts.isTmux ||
    truecolorTerms.test(term) ||
    truecolorPrograms.test(facts.termProgram ?? '')
  );
}

/** @param value COLORFGBG, which is `foreground;background` as numbers of the 16 colours */
function backgroundOfEnvironment(value: string | undefined): TerminalCapabilities['background'] {
  const colour = Number.parseInt(value?.split(';').at(-1) ?? '', 10);
  if (Number.isNaN(colour)) return 'unknown';
  return colour === 7 || colour >= 9 ? 'light' : 'dark';
}

/** Whether the luma of Rec. 709 is above the middle. */
function isLight([red, green, blue]: readonly [number, number, number]): boolean {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 127;
}
