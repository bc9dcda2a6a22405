/**
 * Parses a colour of a theme, such as `#5fd7ff` or `bold bright-cyan`, makes its SGR parameters, finds the nearest colour
 * that the terminal has, and computes the contrast of two.
 */
import type { Style } from '../text/layout/row.ts';

/** How many colours a terminal has. */
export type ColourDepth = 'truecolor' | '256' | '16';

export interface ThemeColour {
  /** SGR parameters of the attributes, such as `1` for bold. */
  readonly attributes: readonly string[];
  /** The foreground: an RGB colour, a number of the terminal's 16 colours, or null for the colour of plain text. */
  readonly ink: Rgb | number | null;
}

const attributeCodes: Readonly<Record<string, string>> = {
  bold: '1',
  dim: '2',
  italic: '3',
  underline: '4',
  inverse: '7',
};

const hues = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
/** The 16 colours of the terminal, in the order of their numbers. */
const ansiNames: readonly string[] = [...hues, ...hues.map((hue) => `bright-${hue}`)];

/** Returns null for a text that is no colour. */
export function parseColour(text: string): ThemeColour | null {
  const words = text.trim().toLowerCase().split(/\s+/);
  const last = words.at(-1) ?? '';
  const ink = parseInk(last);
  const before = ink === undefined ? words : words.slice(0, -1);
  const attributes = before.map((word) => (Object.hasOwn(attributeCodes, word) ? attributeCodes[word] : undefined));
  if (attributes.includes(undefined)) return null;
  return { attributes: attributes.filter((code) => code !== undefined), ink: ink ?? null };
}

/** Returns undefined for a word that names no foreground. */
function parseInk(word: string): Rgb | number | null | undefined {
  if (word === 'default') return null;
  const hex = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/.exec(word);
  if (hex !== null) return [hex[1], hex[2], hex[3]].map((part) => Number.parseInt(part ?? '', 16)) as unknown as Rgb;
  const index = ansiNames.indexOf(word);
  return index === -1 ? undefined : index;
}

/** The SGR parameters, with the nearest colour that the terminal has. */
export function styleOf({ attributes, ink }: ThemeColour, depth: ColourDepth): Style {
  return [...attributes, ...(ink === null ? [] : [foreground(ink, depth)])].join(';');
}

function foreground(ink: Rgb | number, depth: ColourDepth): string {
  if (typeof ink === 'number') return ansiForeground(ink);
  if (depth === '16') return ansiForeground(nearest(ink, ansiLevels));
  const number = nearestXterm(ink);
  const isExact = distance(xtermColour(number), ink) === 0;
  return depth === '256' || isExact ? `38;5;${number}` : `38;2;${ink.join(';')}`;
}

const ansiForeground = (index: number): string => String(index < 8 ? 30 + index : 82 + index);

/**
 * The levels in the colours 16 to 231 of xterm, a cube of 6 × 6 × 6; 24 greys follow. They are the same in every terminal.
 */
const cube = [0, 95, 135, 175, 215, 255] as const;
/** The step of the cube that is nearest to a level. */
const stepOf = (level: number): number => (level < 48 ? 0 : level < 115 ? 1 : Math.floor((level - 35) / 40));

function xtermColour(number: number): Rgb {
  const grey = 8 + 10 * (number - 232);
  if (number >= 232) return [grey, grey, grey];
  const level = (step: number): number => cube[step % 6] ?? 0;
  const index = number - 16;
  return [level(Math.floor(index / 36)), level(Math.floor(index / 6)), level(index)];
}

/** The number of the nearest of the colours 16 to 255. It is computed, as each pixel of a picture asks for one. */
export function nearestXterm(colour: Rgb): number {
  const [red, green, blue] = colour;
  const inCube = 16 + 36 * stepOf(red) + 6 * stepOf(green) + stepOf(blue);
  const inGrey = 232 + Math.max(0, Math.min(23, Math.round(((red + green + blue) / 3 - 8) / 10)));
  return distance(colour, xtermColour(inGrey)) < distance(colour, xtermColour(inCube)) ? inGrey : inCube;
}

/** The 16 colours as xterm has them; users change them. */
const ansiLevels: readonly Rgb[] = [
  ...[0, 1, 2, 3, 4, 5, 6, 7].map((bits): Rgb => bitsAt(bits, 0, 205)),
  ...[0, 1, 2, 3, 4, 5, 6, 7].map((bits): Rgb => bitsAt(bits, 127, 255)),
];

function bitsAt(bits: number, low: number, high: number): Rgb {
  return [bits & 1 ? high : low, bits & 2 ? high : low, bits & 4 ? high : low];
}

function nearest(colour: Rgb, palette: readonly Rgb[]): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  palette.forEach((one, index) => {
    const off = distance(one, colour);
    if (off < least) {
      least = off;
      best = index;
    }
  });
  return best;
}

const distance = (a: Rgb, b: Rgb): number => (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;

/** Red, green and blue, each 0 to 255. */
export type Rgb = readonly [number, number, number];

/** The least contrast that text needs with its background (WCAG 2.2, success criterion 1.4.3). */
export const textContrast = 4.5;

/** Returns the contrast as WCAG 2.2 defines it: a ratio, from 1 for the same colour to 21 for black and white. */
export function contrast(a: Rgb, b: Rgb): number {
  const first = luminance(a) + 0.05;
  const second = luminance(b) + 0.05;
  return first > second ? first / second : second / first;
}

/** Relative luminance, from 0 for black to 1 for white. */
function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(level: number): number {
  const part = level / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}
