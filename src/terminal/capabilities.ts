/** What this terminal can do, told from the environment and from its own answers. */
import type { ReplyEvent } from './events.ts';

/** Facts of the environment; `config` reads them. */
export interface TerminalFacts {
  readonly term: string | undefined;
  readonly colorTerm: string | undefined;
  readonly termProgram: string | undefined;
  /** LC_ALL, LC_CTYPE or LANG, the first that is set. */
  readonly locale: string | undefined;
  readonly colorFgBg: string | undefined;
  readonly isTmux: boolean;
  readonly isSsh: boolean;
  readonly isWindowsTerminal: boolean;
  readonly isWindows: boolean;
  readonly isTty: boolean;
}

export interface Capabilities {
  /** Too little for a full screen: no terminal, or one that cannot move its cursor. */
  readonly isDumb: boolean;
  readonly colours: 'truecolor' | '256' | '16' | 'none';
  readonly isUnicode: boolean;
  /** Anything but ASCII may be sent: elsewhere each byte is a character of its own, and those from 0x80 to 0x9f are controls. */
  readonly isUtf8: boolean;
  readonly background: 'light' | 'dark' | 'unknown';
  readonly kittyKeyboard: boolean;
  /** Whether CSI ? 2026 is known to be honoured; it is harmless elsewhere. */
  readonly synchronizedOutput: boolean;
  readonly tmux: boolean;
  readonly ssh: boolean;
  /** Shift-Enter arrives as something other than Enter. */
  readonly shiftEnterWorks: boolean;
  /** Alt with a key arrives as such; on a Mac the Option key makes characters unless it is told otherwise. */
  readonly altWorks: boolean;
}

const truecolorPrograms = /^(iTerm\.app|WezTerm|vscode|ghostty|Hyper|rio|WarpTerminal|mintty)$/i;
const truecolorTerms = /(kitty|ghostty|foot|alacritty|wezterm|direct)/;
const synchronizedTerms = /(kitty|ghostty|foot|alacritty|wezterm|contour)/;

export function initialCapabilities(facts: TerminalFacts): Capabilities {
  const term = facts.term ?? '';
  const isDumb = !facts.isTty || term === 'dumb' || (term === '' && !facts.isWindows);
  const isLinuxConsole = term === 'linux';
  return {
    isDumb,
    colours: isDumb ? 'none' : coloursOf(facts, term),
    isUnicode: !isLinuxConsole && drawsUnicode(facts),
    isUtf8: drawsUnicode(facts) || readsUtf8(facts, term),
    background: backgroundOfEnvironment(facts.colorFgBg),
    kittyKeyboard: false,
    synchronizedOutput: synchronizedTerms.test(term) || /^(WezTerm|ghostty|iTerm\.app)$/i.test(facts.termProgram ?? ''),
    tmux: facts.isTmux,
    ssh: facts.isSsh,
    shiftEnterWorks: false,
    altWorks: facts.termProgram !== 'Apple_Terminal',
  };
}

/** The same object when the answer says nothing new. */
export function learnFromReply(known: Capabilities, event: ReplyEvent): Capabilities {
  if (event.reply === 'kitty-keyboard') {
    return known.kittyKeyboard ? known : { ...known, kittyKeyboard: true, shiftEnterWorks: true, altWorks: true };
  }
  if (event.reply === 'background') {
    const background = isLight(event.rgb) ? 'light' : 'dark';
    return known.background === background ? known : { ...known, background };
  }
  if (event.reply === 'mode' && event.mode === 2026) {
    const synchronizedOutput = event.value === 1 || event.value === 2;
    return known.synchronizedOutput === synchronizedOutput ? known : { ...known, synchronizedOutput };
  }
  return known;
}

/**
 * The questions for `Screen`. DA1, which everything answers, comes last: an answer that is not there before it never comes.
 * The Linux console does not know what an OSC is and draws it.
 */
export function queriesFor(facts: TerminalFacts): string {
  if (facts.term === 'linux') return '\x1b[c';
  return '\x1b[?u\x1b]11;?\x1b\\\x1b[c';
}

function coloursOf(facts: TerminalFacts, term: string): Capabilities['colours'] {
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
 * Whatever the locale is: the console of Windows is given characters, and these programs know nothing but UTF-8. Where none
 * is named, as in containers and over a bare ssh, the terminal is one of today.
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

/** COLORFGBG: `foreground;background`, of the 16 colours. */
function backgroundOfEnvironment(value: string | undefined): Capabilities['background'] {
  const colour = Number.parseInt(value?.split(';').at(-1) ?? '', 10);
  if (Number.isNaN(colour)) return 'unknown';
  return colour === 7 || colour >= 9 ? 'light' : 'dark';
}

/** Rec. 709 luma, above the middle. */
function isLight([red, green, blue]: readonly [number, number, number]): boolean {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 127;
}
