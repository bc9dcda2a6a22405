/** Chooses the theme from its name, the colours of the terminal and its background. */

import { type Theme, themes } from './theme.ts';
import { colourBlindPair, standardPair, type ThemePair } from './theme-built-in.ts';
import type { ColourDepth } from './theme-colour.ts';
import { themeFrom } from './theme-palette.ts';

export interface TerminalColours {
  readonly depth: ColourDepth | 'none';
  readonly background: 'light' | 'dark' | 'unknown';
}

/**
 * `ansi` has the 16 colours of the terminal's own palette. A terminal with no more colours than these shows it in the place
 * of the built-in themes.
 * @param name null: the theme follows the terminal
 * @param own the theme of the user that has this name
 */
export function chooseTheme(name: string | null, own: ThemePair | null, { depth, background }: TerminalColours): Theme {
  if (name === 'none' || name === 'high-contrast') return themes[name];
  if (name === null && depth === 'none') return themes.none;
  const half = name === 'dark' || name === 'light' ? name : background === 'light' ? 'light' : 'dark';
  const few = depth === 'none' || depth === '16';
  if (own !== null) return themeFrom(name ?? half, own[half], few ? '16' : depth);
  if (few || name === 'ansi') return themes[half];
  if (name === 'colour-blind') return themeFrom(name, colourBlindPair[half], depth);
  return themeFrom(half, standardPair[half], depth);
}
