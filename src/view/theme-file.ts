/**
 * Reads a theme of the user: a table `[dark]` and a table `[light]`, each with a colour for some of the roles. What a half
 * does not name is taken from the built-in theme, and so is a half that is missing.
 */

import { standardPair, type ThemePair } from './theme-built-in.ts';
import { contrast, parseColour, type Rgb, type ThemeColour, textContrast } from './theme-colour.ts';
import { type ColourRole, colourRoles, type Palette } from './theme-palette.ts';

export interface OwnTheme {
  readonly pair: ThemePair;
  /** One line for each thing that is wrong or hard to read; what is wrong is not used. */
  readonly problems: readonly string[];
}

const halves = ['dark', 'light'] as const;
type Half = (typeof halves)[number];

/** The backgrounds that the contrast is checked with where a half names none. */
const usualBackground: Readonly<Record<Half, Rgb>> = { dark: [0, 0, 0], light: [255, 255, 255] };
const mostAuthors = 24;
/** Roles whose contrast is not checked: no text has the colour of the border, and a user may want a faint one. */
const unchecked: ReadonlySet<ColourRole> = new Set(['border']);

/** @param table the parsed TOML, of any shape */
export function readTheme(table: Readonly<Record<string, unknown>>): OwnTheme {
  const problems: string[] = [];
  for (const key of Object.keys(table))
    if (!halves.some((half) => half === key))
      problems.push(`there is no ${JSON.stringify(key)}; use [dark] and [light]`);
  const half = (name: Half): Palette => readHalf(name, table[name], problems);
  return { pair: { dark: half('dark'), light: half('light') }, problems };
}

function readHalf(half: Half, value: unknown, problems: string[]): Palette {
  const base = standardPair[half];
  if (value === undefined) return base;
  if (!isTable(value)) {
    problems.push(`${half} must be a table: [${half}]`);
    return base;
  }
  const say = (key: string, problem: string): void => void problems.push(`[${half}] ${key}: ${problem}`);
  const background = backgroundOf(half, value.background, say);
  const colours: Record<ColourRole, ThemeColour> = { ...base.colours };
  for (const [key, text] of Object.entries(value)) {
    if (key === 'background' || key === 'authors') continue;
    if (!isRole(key)) say(key, 'there is no colour of this name; see docs/themes.md');
    else colours[key] = colourOf(key, text, background, say) ?? colours[key];
  }
  return { colours, authors: authorsOf(value.authors, background, say) ?? base.authors };
}

type Say = (key: string, problem: string) => void;

function backgroundOf(half: Half, value: unknown, say: Say): Rgb {
  if (value === undefined) return usualBackground[half];
  const ink = typeof value === 'string' ? parseColour(value)?.ink : null;
  if (typeof ink === 'object' && ink !== null) return ink;
  say('background', 'write it as "#rrggbb"');
  return usualBackground[half];
}

function colourOf(key: string, value: unknown, background: Rgb, say: Say): ThemeColour | null {
  const colour = typeof value === 'string' ? parseColour(value) : null;
  if (colour === null) {
    say(
      key,
      'write a colour as "#rrggbb", "default" or the name of one of the 16 colours, with "bold" and others before it',
    );
    return null;
  }
  if (typeof colour.ink !== 'object' || colour.ink === null || unchecked.has(key as ColourRole)) return colour;
  const ratio = contrast(colour.ink, background);
  if (ratio < textContrast)
    say(key, `the contrast with the background is ${ratio.toFixed(1)} to 1; text needs ${textContrast} to 1`);
  return colour;
}

function authorsOf(value: unknown, background: Rgb, say: Say): readonly ThemeColour[] | null {
  if (value === undefined) return null;
  if (!Array.isArray(value) || value.length === 0 || value.length > mostAuthors) {
    say('authors', `write a list of 1 to ${mostAuthors} colours`);
    return null;
  }
  const colours = value.map((one, index) => colourOf(`authors[${index}]`, one, background, say));
  const known = colours.filter((colour) => colour !== null);
  return known.length === 0 ? null : known;
}

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isRole = (key: string): key is ColourRole => Object.hasOwn(colourRoles, key);
