/**
 * Parses a colour of a theme, such as `#5fd7ff` or `bold bright-cyan`, makes its SGR parameters, and computes the
 * contrast of two.
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
  const index = nearest(ink, paletteLevels);
  const isExact = paletteLevels[index]?.every((level, part) => level === ink[part]) === true;
  return depth === '256' || isExact ? `38;5;${index + 16}` : `38;2;${ink.join(';')}`;
}

const ansiForeground = (index: number): string => String(index < 8 ? 30 + index : 82 + index);

/** The colours 16 to 255 of xterm: a cube of 6 × 6 × 6, and 24 greys. They are the same in every terminal. */
const cube = [0, 95, 135, 175, 215, 255];
const paletteLevels: readonly Rgb[] = [
  ...cube.flatMap((red) => cube.flatMap((green) => cube.map((blue): Rgb => [red, green, blue]))),
  ...Array.from({ length: 24 }, (_, step): Rgb => [8 + 10 * step, 8 + 10 * step, 8 + 10 * step]),
];

/** The 16 colours as xterm has them; users change them. */
const ansiLevels: readonly Rgb[] = [
  ...[0, 1, 2, 3, 4, 5, 6, 7].map((bits): Rgb => bitsAt(bits, 0, 205)),
  ...[0, 1, 2, 3, 4, 5, 6, 7].map((bits): Rgb => bitsAt(bits, 127, 255)),
];

function bitsAt(bits: number, low: number, high: number): Rgb {
  return [bits & 1 ? high : low, bits & 2 ? high : low, bits & 4 ? high : low];
}

function nearest([red, green, blue]: Rgb, palette: readonly Rgb[]): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  palette.forEach((colour, index) => {
    const distance = (colour[0] - red) ** 2 + (colour[1] - green) ** 2 + (colour[2] - blue) ** 2;
    if (distance < least) {
      least = distance;
      best = index;
    }
  });
  return best;
}

/** Red, green and blue, each 0 to 255. */
export type Rgb = readonly [number, number, number];

/** The least contrast that text needs with what is behind it (WCAG 2.2, success criterion 1.4.3). */
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
