/** Walks text by code points and grapheme clusters (UAX #29), and says where there is a boundary without a walk. */
import { graphemeSegments } from 'unicode-segmenter/grapheme';

/** The code point at a UTF-16 offset; 0 at the end. */
export function codePointAt(text: string, offset: number): number {
  const unit = text.charCodeAt(offset);
  if (unit < 0xd800 || unit > 0xdfff) return unit;
  return text.codePointAt(offset) ?? 0;
}

export const unitsOf = (codePoint: number): 1 | 2 => (codePoint > 0xffff ? 2 : 1);

/** Gets the UTF-16 range of a cluster and its code point, −1 when it has several. @returns false to stop the walk */
export type ClusterVisitor = (start: number, end: number, codePoint: number) => boolean;

/** Visits the clusters of `text` from the boundary `from` on, in order, without looking further than needed. */
export function eachCluster(text: string, from: number, visit: ClusterVisitor): void {
  let at = from;
  while (at < text.length) {
    const codePoint = codePointAt(text, at);
    const end = at + unitsOf(codePoint);
    if (isPlain(codePoint) && (end >= text.length || isPlain(codePointAt(text, end)))) {
      if (!visit(at, end, codePoint)) return;
      at = end;
    } else {
      const next = eachUntilPlain(text, at, visit);
      if (next === null) return;
      at = next;
    }
  }
}

/** Starting the segmenter takes as long as continuing with it for about this number of characters. */
const plainAhead = 8;

/**
 * Visits clusters with the segmenter until some characters follow that need none.
 * @returns where the next cluster begins; null when the walk is stopped
 */
function eachUntilPlain(text: string, from: number, visit: ClusterVisitor): number | null {
  for (const { index, segment } of graphemeSegments(from === 0 ? text : text.slice(from))) {
    const first = codePointAt(segment, 0);
    const isAlone = unitsOf(first) === segment.length;
    const end = from + index + segment.length;
    if (!visit(from + index, end, isAlone ? first : -1)) return null;
    if (isPlain(codePointBefore(text, end)) && arePlain(text, end, plainAhead)) return end;
  }
  return text.length;
}

/** Whether so many characters from an offset on are plain, or all up to the end of the text. */
function arePlain(text: string, from: number, count: number): boolean {
  let at = from;
  for (let left = count; left > 0 && at < text.length; left--) {
    const codePoint = codePointAt(text, at);
    if (!isPlain(codePoint)) return false;
    at += unitsOf(codePoint);
  }
  return true;
}

/** Visits the clusters of a text from a boundary on, like `eachCluster`. */
export type Walk = typeof eachCluster;

/** Like `eachCluster`, but finds every cluster once, however often and wherever the walk begins. */
export function walkOnce(line: string): Walk {
  if (/^[\x20-\x7e]*$/.test(line)) return eachCluster;
  const ends: number[] = [];
  const codePoints: number[] = [];
  eachCluster(line, 0, (_start, end, codePoint) => {
    ends.push(end);
    codePoints.push(codePoint);
    return true;
  });
  /** The cluster that begins at `from`; walks go on where the one before began, or after it. */
  let next = 0;
  return (_text, from, visit) => {
    while (next > 0 && (ends[next - 1] ?? 0) > from) next--;
    while (next < ends.length && (next === 0 ? 0 : (ends[next - 1] ?? 0)) < from) next++;
    let start = from;
    for (let i = next; i < ends.length; i++) {
      const end = ends[i] ?? 0;
      if (!visit(start, end, codePoints[i] ?? -1)) return;
      start = end;
    }
  };
}

/** Greek and Cyrillic, dashes and quotes, arrows to geometric shapes, kana, Han, Hangul syllables, emoji but skin tones. */
// biome-ignore format: pairs
const plainRanges = [
  0x370, 0x482, 0x2010, 0x2027, 0x2190, 0x25ff, 0x3041, 0x3096, 0x4e00, 0x9fff, 0xac00, 0xd7a3,
  0x1f300, 0x1f3fa, 0x1f400, 0x1faff,
];

/**
 * True for Latin, controls except CR, and the ranges above: between two of them there is always a boundary, so that most
 * boundaries need no walk.
 */
export function isPlain(codePoint: number): boolean {
  if (codePoint < 0x300) return codePoint !== 0x0d;
  for (let at = 0; at < plainRanges.length; at += 2)
    if (codePoint <= (plainRanges[at + 1] ?? 0)) return codePoint >= (plainRanges[at] ?? 0);
  return false;
}

export const isBetweenPlain = (text: string, offset: number): boolean =>
  isPlain(codePointBefore(text, offset)) && isPlain(codePointAt(text, offset));

/** The code point that ends at a UTF-16 offset; 0 at the start. */
export function codePointBefore(text: string, offset: number): number {
  if (offset <= 0) return 0;
  const unit = text.charCodeAt(offset - 1);
  if (unit < 0xdc00 || unit > 0xdfff || offset < 2) return unit;
  const pair = text.codePointAt(offset - 2) ?? unit;
  return pair > 0xffff ? pair : unit;
}
