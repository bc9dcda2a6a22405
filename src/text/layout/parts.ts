/** Cuts a long message into parts that are read one at a time, so that no frame costs more than one part (R-SAN-5). */
import { codePointAt, isPlain } from '../unicode/clusters.ts';
import { snapToBoundary } from '../unicode/graphemes.ts';

/** The most characters of a part, counted as they are drawn, and its most lines before wrapping. */
export const partUnits = 4000;
export const partLines = 200;
/** How far before the limit a part may end so that a line stays whole, or else a word. */
const reach = 1000;

/** The end of the part that begins at `from`: after a line that ends near the limit, else after a word, else at the limit. */
export function partEnd(raw: string, from: number): number {
  let weight = 0;
  let lines = 0;
  let at = from;
  while (at < raw.length) {
    const unit = raw.charCodeAt(at);
    const isCommon = (unit >= 0x20 && unit < 0x80) || unit > 0x2069;
    weight += isCommon ? 1 : weightOf(unit);
    if (weight > partUnits) return goodPlace(raw, from, at);
    at++;
    if (!isCommon && isLineEnd(unit) && ++lines >= partLines)
      return unit === 0x0d && raw.charCodeAt(at) === 0x0a ? at + 1 : at;
  }
  return at;
}

/** True when a message is read in more than one part. */
export const isInParts = (raw: string): boolean => raw.length > partLines && partEnd(raw, 0) < raw.length;

/** Tabs and direction marks are drawn as several characters. */
function weightOf(unit: number): number {
  if (unit === 0x09) return 4;
  return (unit >= 0x202a && unit <= 0x202e) || (unit >= 0x2066 && unit <= 0x2069) ? 5 : 1;
}

const isLineEnd = (unit: number): boolean =>
  (unit >= 0x0a && unit <= 0x0d) || unit === 0x85 || unit === 0x2028 || unit === 0x2029;

function goodPlace(raw: string, from: number, end: number): number {
  let word = 0;
  for (let at = end; at > Math.max(from, end - reach); at--) {
    const before = raw.charCodeAt(at - 1);
    if ((before !== 0x0a && before !== 0x20) || !isPlain(codePointAt(raw, at))) continue;
    if (before === 0x0a) return at;
    if (word === 0) word = at;
  }
  if (word > 0) return word;
  const snapped = snapToBoundary(raw, end);
  return snapped > from ? snapped : end;
}
