/** Walks text by grapheme clusters: a table for characters that stand alone, `Intl.Segmenter` in small pieces for the rest. */

/** `Intl.Segmenter` costs least per character at this length and is quadratic far above it. */
const pieceUnits = 256;

let segmenter: Intl.Segmenter | null = null;

/** Cluster segments of a short text; the segmenter is made on first need. */
export function segmentShort(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

/**
 * True for code points that never join a neighbour which is itself simple, so that the place between two of them
 * is always a cluster boundary. CR is not (CR LF is one cluster), nor are Indic letters (conjuncts).
 */
export function isSimple(codePoint: number): boolean {
  if (codePoint < 0x7f) return codePoint !== 0x0d;
  if (codePoint < 0x300) return codePoint !== 0xa9 && codePoint !== 0xae;
  if (codePoint < 0x2e80) return isSimpleLow(codePoint);
  if (codePoint >= 0x3400 && codePoint <= 0xa4c6) return true;
  if (codePoint >= 0xac00 && codePoint <= 0xd7a3) return true;
  if (codePoint < 0x3400) {
    return (
      (codePoint >= 0x3000 && codePoint <= 0x3029) ||
      (codePoint >= 0x3041 && codePoint <= 0x3096) ||
      (codePoint >= 0x309b && codePoint <= 0x318e)
    );
  }
  return (
    (codePoint >= 0xf900 && codePoint <= 0xfaff) ||
    (codePoint >= 0xff01 && codePoint <= 0xff9d) ||
    (codePoint >= 0xffe0 && codePoint <= 0xffe6) ||
    codePoint === 0xfffd ||
    (codePoint >= 0x20000 && codePoint <= 0x3fffd)
  );
}

/** U+0300 to U+2E7F: Greek, Cyrillic, Armenian, Hebrew, Arabic, Thai and Georgian letters, punctuation, pictures. */
function isSimpleLow(codePoint: number): boolean {
  if (codePoint < 0x590) {
    return (codePoint >= 0x370 && codePoint <= 0x482) || (codePoint >= 0x48a && codePoint <= 0x58a);
  }
  if (codePoint < 0x10a0) {
    return (
      (codePoint >= 0x5d0 && codePoint <= 0x5f4) ||
      (codePoint >= 0x620 && codePoint <= 0x64a) ||
      (codePoint >= 0x660 && codePoint <= 0x66f) ||
      (codePoint >= 0x671 && codePoint <= 0x6d3) ||
      (codePoint >= 0xe01 && codePoint <= 0xe30) ||
      codePoint === 0xe32 ||
      (codePoint >= 0xe3f && codePoint <= 0xe46)
    );
  }
  if (codePoint < 0x2000) return codePoint <= 0x10ff || codePoint >= 0x1e00;
  return (
    (codePoint >= 0x2010 && codePoint <= 0x2027) ||
    (codePoint >= 0x2030 && codePoint <= 0x203b) ||
    (codePoint >= 0x2070 && codePoint <= 0x20c1) ||
    (codePoint >= 0x2400 && codePoint <= 0x2426) ||
    (codePoint >= 0x2500 && codePoint <= 0x25a9)
  );
}

/** The code point at a UTF-16 offset; 0 at the end. */
export function codePointAt(text: string, offset: number): number {
  const unit = text.charCodeAt(offset);
  if (unit < 0xd800 || unit > 0xdfff) return unit;
  return text.codePointAt(offset) ?? 0;
}

export const unitsOf = (codePoint: number): 1 | 2 => (codePoint > 0xffff ? 2 : 1);

/** Told the UTF-16 range of a cluster; answers false to stop the walk. `codePoint` is the cluster when it is a single one, else −1. */
export type ClusterVisitor = (start: number, end: number, codePoint: number) => boolean;

/**
 * Visits the clusters of `text` from the boundary `from` on, in order, without looking further than needed.
 * Clusters of more than 256 units, which cleaned text does not have, come in several pieces.
 */
export function eachCluster(text: string, from: number, visit: ClusterVisitor): void {
  const length = text.length;
  let at = from;
  while (at < length) {
    const codePoint = codePointAt(text, at);
    const next = at + unitsOf(codePoint);
    if (isSimple(codePoint) && (next >= length || isSimple(codePointAt(text, next)))) {
      if (!visit(at, next, codePoint)) return;
      at = next;
    } else {
      const end = visitPiece(text, at, visit);
      if (end < 0) return;
      at = end;
    }
  }
}

/** Hands one piece to the segmenter; returns where the next begins, −1 when the visitor stopped. */
function visitPiece(text: string, start: number, visit: ClusterVisitor): number {
  const end = pieceEnd(text, start);
  const isWhole = end === text.length || isBetweenSimple(text, end);
  let last = start;
  for (const { index, segment } of segmentShort(text.slice(start, end))) {
    const from = start + index;
    const to = from + segment.length;
    // The last cluster of a piece that was cut short may go on behind the cut.
    if (!isWhole && to === end && from > start) return from;
    const first = codePointAt(segment, 0);
    if (!visit(from, to, unitsOf(first) === segment.length ? first : -1)) return -1;
    last = to;
  }
  return last;
}

/** The next place between two simple characters, or `pieceUnits` further when there is none so near. */
function pieceEnd(text: string, start: number): number {
  const limit = Math.min(text.length, start + pieceUnits);
  let wasSimple = false;
  let at = start;
  while (at < limit) {
    const codePoint = codePointAt(text, at);
    const simple = isSimple(codePoint);
    if (simple && wasSimple) return at;
    wasSimple = simple;
    at += unitsOf(codePoint);
  }
  return Math.min(at, text.length);
}

function isBetweenSimple(text: string, offset: number): boolean {
  const before = codePointBefore(text, offset);
  return isSimple(before) && isSimple(codePointAt(text, offset));
}

/** The code point that ends at a UTF-16 offset; 0 at the start. */
export function codePointBefore(text: string, offset: number): number {
  if (offset <= 0) return 0;
  const unit = text.charCodeAt(offset - 1);
  if (unit < 0xdc00 || unit > 0xdfff || offset < 2) return unit;
  const pair = text.codePointAt(offset - 2) ?? unit;
  return pair > 0xffff ? pair : unit;
}
