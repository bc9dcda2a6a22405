/**
 * A colour for each author, the same in every conversation and after every start: it follows from the id alone. A theme
 * says which colours there are.
 */
import type { Style } from '../text/layout/row.ts';

/** FNV-1a of the id, mixed as MurmurHash3 does at its end, chooses the colour. */
export function authorStyle(id: string | null, colours: readonly Style[]): Style {
  if (id === null) return colours[0] ?? '';
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return colours[((hash ^ (hash >>> 16)) >>> 0) % colours.length] ?? '';
}
