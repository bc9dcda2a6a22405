/**
 * A colour for each author, the same in every conversation and after every start: it follows from the id alone. The reds
 * and the colour of the user's own name are left out.
 */
import type { Style } from '../text/layout/row.ts';
import type { Theme } from './theme.ts';

/** Numbers of the 256-colour palette whose contrast is at least 4.5 to 1 with black, or with white. */
export const onDark: readonly number[] = [215, 222, 176, 117, 80, 211, 141, 180, 152, 75, 186, 219];
export const onLight: readonly number[] = [25, 90, 94, 23, 125, 54, 58, 61, 28, 130, 96, 88];

/** The colours of authors in a theme; with few colours, those of the terminal's own palette. */
export function authorColours({ name, authors }: Theme, hasManyColours: boolean): readonly Style[] {
  if (!hasManyColours || (name !== 'dark' && name !== 'light')) return authors;
  return (name === 'dark' ? onDark : onLight).map((colour) => `1;38;5;${colour}`);
}

/** FNV-1a of the id, mixed as MurmurHash3 does at its end, chooses the colour. */
export function authorStyle(id: string | null, colours: readonly Style[]): Style {
  if (id === null) return colours[0] ?? '';
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return colours[((hash ^ (hash >>> 16)) >>> 0) % colours.length] ?? '';
}
