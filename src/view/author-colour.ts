/**
 * A colour for each author, the same in every conversation and after every start: it follows from the id alone. A theme
 * says which colours there are.
 */
import { hashOf } from '../text/hash.ts';
import type { Style } from '../text/layout/row.ts';

/** The hash of the id, mixed as MurmurHash3 does at its end, chooses the colour. */
export function authorStyle(id: string | null, colours: readonly Style[]): Style {
  if (id === null) return colours[0] ?? '';
  let hash = hashOf(id);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return colours[((hash ^ (hash >>> 16)) >>> 0) % colours.length] ?? '';
}
