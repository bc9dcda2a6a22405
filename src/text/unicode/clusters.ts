/** Walks text by grapheme clusters: by its own tables where these suffice, by `Intl.Segmenter` in small pieces elsewhere. */
import { isExtender, isJoinable, isPictograph, isRegionalIndicator, isSimple } from './cluster-kinds.ts';
import { commonEmoji, joinedCommonEmoji } from './common-emoji.ts';

/** `Intl.Segmenter` costs least per character at this length and is quadratic far above it. */
const pieceUnits = 256;

let segmenter: Intl.Segmenter | null = null;

/** Cluster segments of a short text; the segmenter is made on first need. */
export function segmentShort(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

/** The code point at a UTF-16 offset; 0 at the end. */
export function codePointAt(text: string, offset: number): number {
  const unit = text.charCodeAt(offset);
  if (unit < 0xd800 || unit > 0xdfff) return unit;
  return text.codePointAt(offset) ?? 0;
}

export const unitsOf = (codePoint: number): 1 | 2 => (codePoint > 0xffff ? 2 : 1);

/** Gets the UTF-16 range of a cluster and its code point, −1 when it has several. @returns false to stop the walk */
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
      continue;
    }
    const end = joinedEnd(text, at, next) ?? easyEnd(text, at, codePoint);
    if (end < 0) {
      at = visitPiece(text, at, visit);
      if (at < 0) return;
    } else {
      if (!visit(at, end, end === next ? codePoint : -1)) return;
      at = end;
    }
  }
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
  /** The cluster that begins at `from`; walks go on where the one before began, or behind it. */
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

/** Controls, the soft hyphen among them, take no marks. */
const isControl = (codePoint: number): boolean =>
  codePoint < 0x20 || (codePoint >= 0x7f && codePoint < 0xa0) || codePoint === 0xad;

/**
 * The end of a cluster of the common kinds: a letter or emoji with marks, emoji joined to emoji, a flag. −1 when it takes
 * the segmenter, which costs tens of milliseconds to make and is slow on Node 20.
 */
export function easyEnd(text: string, start: number, codePoint: number): number {
  let at = start + unitsOf(codePoint);
  let joining = codePoint;
  if (isRegionalIndicator(codePoint)) {
    if (!isRegionalIndicator(codePointAt(text, at))) return -1;
    at += 2;
  } else if (!isPictograph(codePoint) && (!isSimple(codePoint) || isControl(codePoint))) return -1;
  for (;;) {
    let next = codePointAt(text, at);
    while (isExtender(next)) {
      at += unitsOf(next);
      next = codePointAt(text, at);
    }
    if (at >= text.length || isSimple(next) || isPictograph(next) || isRegionalIndicator(next)) return at;
    if (next !== 0x200d || !isJoinable(joining)) return -1;
    const joined = codePointAt(text, at + 1);
    if (!isJoinable(joined)) return -1;
    joining = joined;
    at += 1 + unitsOf(joined);
  }
}

/** Emoji joined to emoji, before one more, a plain letter, or the end. */
const joinedEmoji = new RegExp(`${joinedCommonEmoji}(?=[${commonEmoji}\\x20-\\x7e]|$)`, 'uy');

/**
 * What `easyEnd` answers for them, in a tenth of its time: it passes over every code point in code that is still cold when
 * a thread of them is opened. Null for everything else.
 */
function joinedEnd(text: string, start: number, next: number): number | null {
  if (text.charCodeAt(next) !== 0x200d) return null;
  joinedEmoji.lastIndex = start;
  return joinedEmoji.test(text) ? joinedEmoji.lastIndex : null;
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
