/** Makes the byte sequences that take a terminal over and give it back. */

export const syncBegin = '\x1b[?2026h';
export const syncEnd = '\x1b[?2026l';
export const cursorHide = '\x1b[?25l';
export const cursorShow = '\x1b[?25h';

const mouseOn = '\x1b[?1002h\x1b[?1006h';
const mouseOff = '\x1b[?1002l\x1b[?1006l';
/**
 * Disambiguated keys (Shift-Enter, Escape), which also say what Shift makes of them, without which Alt-< would be Alt-,:
 * https://sw.kovidgoyal.net/kitty/keyboard-protocol/
 */
const kittyPush = '\x1b[>5u';
const kittyPop = '\x1b[<u';
const kittySet = '\x1b[=5u';

/** The terminal keeps the window's title on a stack and takes it back; where it has no stack it ignores both. */
export const titlePush = '\x1b[22;2t';
export const titlePop = '\x1b[23;2t';

/** DECSCUSR: a block covers a character, a bar is between two. Without a shape, the cursor is as the user has set it. */
export type CursorShape = 'block' | 'bar' | null;

const cursorShapes = { block: '\x1b[2 q', bar: '\x1b[6 q' } as const;

export interface Modes {
  readonly mouse: boolean;
  readonly kitty: boolean;
  readonly cursor: CursorShape;
}

/**
 * Turns off what a program that was killed before may have left on: mouse of all kinds, focus reports, bracketed paste,
 * application keys, origin mode, an open synchronized frame, scroll margins, a character set, a colour.
 */
const leftovers =
  '\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1002l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[?2026l\x1b[?2031l\x1b[?1l\x1b[?6l\x1b>\x1b(B\x0f\x1b[r\x1b[m';

/**
 * Keeps the title, and turns on an empty alternate screen, with the cursor hidden at the top left, no autowrap, and
 * reports of paste, focus and colour scheme.
 */
export function enterSequence(modes: Modes): string {
  return `\x1b[?1049h${titlePush}${leftovers}${cursorHide}\x1b[?7l\x1b[2J\x1b[H\x1b[?2004h\x1b[?1004h\x1b[?2031h${modes.mouse ? mouseOn : ''}${modes.kitty ? kittyPush : ''}${modes.cursor === null ? '' : cursorSequence(modes.cursor)}`;
}

/**
 * Turns on again what `enterSequence` turned on and another terminal, or one that was reset, lacks. What is kept on a stack
 * is not pushed a second time.
 */
export function modesSequence(modes: Modes): string {
  return `\x1b[?7l\x1b[?2004h\x1b[?1004h\x1b[?2031h${modes.mouse ? mouseOn : ''}${modes.kitty ? kittySet : ''}${modes.cursor === null ? '' : cursorSequence(modes.cursor)}`;
}

/** Everything is erased. What scrolls back is kept: terminals that save an erased screen do so for `2J`. */
const eraseScreen = '\x1b[m\x1b[H\x1b[J';

/**
 * Undoes `enterSequence`. Where there is no alternate screen, as in GNU screen with its defaults, the shell goes on at the
 * cursor: on an empty screen, not in the middle of the last frame.
 */
export function leaveSequence(modes: Modes): string {
  return `${syncEnd}${modes.kitty ? kittyPop : ''}${modes.cursor === null ? '' : cursorSequence(null)}${mouseOff}\x1b[?1000l\x1b[?1004l\x1b[?2004l\x1b[?2031l${eraseScreen}\x1b[?7h${cursorShow}\x1b[?1049l${titlePop}`;
}

export function mouseSequence(on: boolean): string {
  return on ? mouseOn : mouseOff;
}

export function kittySequence(on: boolean): string {
  return on ? kittyPush : kittyPop;
}

export const cursorSequence = (shape: CursorShape): string => (shape === null ? '\x1b[0 q' : cursorShapes[shape]);
