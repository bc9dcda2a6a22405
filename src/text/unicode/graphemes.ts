/** Finds the places for the cursor: cluster and word boundaries around an offset, from its surroundings alone. */
import { codePointAt, codePointBefore, eachCluster, isBetweenPlain, isPlain, unitsOf } from './clusters.ts';
import { lazyPattern } from './lazy-pattern.ts';

/** How many UTF-16 units around an offset are read; a longer word takes several moves. */
const reach = 256;
/** How far a move by a word goes where there are no words, as among emoji. */
const wordlessReach = 1024;
/** The most regional indicators (halves of flags) that are counted to find out how they pair. */
const flagReach = 4096;

/** The end of the cluster that starts at the boundary `offset`; `text.length` at the end. */
export function nextBoundary(text: string, offset: number): number {
  const at = Math.max(0, offset);
  if (at >= text.length) return text.length;
  const next = at + unitsOf(codePointAt(text, at));
  if (isBetweenPlain(text, next)) return next;
  let found = at;
  eachCluster(text.slice(0, at + reach), at, (_start, end) => {
    found = end;
    return false;
  });
  return withinPair(text, found) ? found - 1 : found;
}

/** The start of the cluster that ends at the boundary `offset`; 0 at the start. */
export function previousBoundary(text: string, offset: number): number {
  const at = Math.min(text.length, offset);
  if (at <= 0) return 0;
  const codePoint = codePointBefore(text, at);
  const previous = at - unitsOf(codePoint);
  if (previous <= 0) return 0;
  if (isPlain(codePoint) && isPlain(codePointBefore(text, previous))) return previous;
  return lastBoundary(text.slice(0, at), safeStart(text, previous), previous);
}

/** The last boundary that is not after `offset`. */
export function snapToBoundary(text: string, offset: number): number {
  if (offset <= 0) return 0;
  if (offset >= text.length) return text.length;
  if (isBetweenPlain(text, offset)) return offset;
  return lastBoundary(text.slice(0, offset + reach), safeStart(text, offset), offset);
}

/** The last boundary that is not after `offset`, from a boundary before it. */
function lastBoundary(text: string, start: number, offset: number): number {
  let found = start;
  eachCluster(text, start, (from) => {
    if (from <= offset) found = from;
    return from < offset;
  });
  return found;
}

/** A boundary at or before `offset`: the nearest place between two plain characters, else the limit. */
function safeStart(text: string, offset: number): number {
  const limit = Math.max(0, offset - reach);
  let at = offset;
  while (at > limit) {
    if (isBetweenPlain(text, at)) return at;
    at -= unitsOf(codePointBefore(text, at));
  }
  at = Math.max(0, at);
  // Flags pair up from the start of their run.
  return at - (indicatorsBefore(text, at) % 2) * 2;
}

const isRegionalIndicator = (codePoint: number): boolean => codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff;

/**
 * The number of regional indicators directly before an offset. For a run of thousands it is estimated from the offset
 * alone, so that all places of the run agree about the pairs.
 */
function indicatorsBefore(text: string, offset: number): number {
  const limit = offset - flagReach * 2;
  let at = offset;
  while (at >= 2 && text.charCodeAt(at - 2) === 0xd83c && isRegionalIndicator(codePointBefore(text, at))) {
    at -= 2;
    if (at <= limit) return Math.floor(offset / 2);
  }
  return (offset - at) / 2;
}

function withinPair(text: string, offset: number): boolean {
  if (offset <= 0 || offset >= text.length) return false;
  const codePoint = text.codePointAt(offset - 1) ?? 0;
  return codePoint > 0xffff;
}

// ---------------------------------------------------------------- words

const asciiWord = /[A-Za-z0-9_]+(?:['.][A-Za-z0-9_]+)*/g;
const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/** Joiners and soft hyphens belong to the word around them, and so does one sign between two of its parts. */
const spacedWord = lazyPattern(
  () =>
    /[\p{L}\p{N}_][\p{L}\p{M}\p{N}_\u00ad\u200c\u200d]*(?:['.’·][\p{L}\p{N}_][\p{L}\p{M}\p{N}_\u00ad\u200c\u200d]*)*/gu,
);

/** Thai and Lao, Burmese, Khmer, kana and Han: words that follow each other without a space. */
const unspaced = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\ud840-\ud88d]/;

let segmenter: Intl.Segmenter | null = null;

/**
 * The words of a text, also of one in Chinese, Japanese or Thai. Making the segmenter takes a whole frame, in which
 * Node reads the names of all locales, so it is made where a text has such words.
 */
export function wordSegments(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  return segmenter.segment(text);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function wordsIn(text: string): readonly Range[] {
  if (!unspaced.test(text)) {
    const pattern = isAscii(text) ? asciiWord : spacedWord();
    return [...text.matchAll(pattern)].map(({ index, 0: word }) => ({ start: index, end: index + word.length }));
  }
  const words: Range[] = [];
  for (const { index, segment, isWordLike } of wordSegments(text)) {
    if (isWordLike === true) words.push({ start: index, end: index + segment.length });
  }
  return words;
}

/** The word that covers a place; elsewhere the cluster there. */
export function wordAround(text: string, offset: number): Range {
  const from = offset <= reach ? 0 : snapToBoundary(text, offset - reach);
  const to = offset + reach >= text.length ? text.length : snapToBoundary(text, offset + reach);
  const word = wordsIn(text.slice(from, to)).find(({ start, end }) => from + start <= offset && offset < from + end);
  if (word === undefined) return { start: snapToBoundary(text, offset), end: nextBoundary(text, offset) };
  return { start: snapToBoundary(text, from + word.start), end: onBoundary(text, from + word.end) };
}

/** The end of the word at or after `offset`; where there is none near, a place further on or the end of the text. */
export function nextWord(text: string, offset: number): number {
  let at = Math.max(0, offset);
  const limit = at + wordlessReach;
  while (at < text.length && at < limit) {
    const end =
      at + reach >= text.length ? text.length : Math.max(snapToBoundary(text, at + reach), nextBoundary(text, at));
    const word = wordsIn(text.slice(at, end))[0];
    if (word !== undefined) return onBoundary(text, at + word.end);
    at = end;
  }
  return at;
}

/** The start of the word at or before `offset`; where there is none near, a place further back or 0. */
export function previousWord(text: string, offset: number): number {
  let at = Math.min(text.length, offset);
  const limit = at - wordlessReach;
  while (at > 0 && at > limit) {
    const start = at <= reach ? 0 : Math.min(snapToBoundary(text, at - reach), previousBoundary(text, at));
    const word = wordsIn(text.slice(start, at)).at(-1);
    if (word !== undefined) return snapToBoundary(text, start + word.start);
    at = start;
  }
  return at;
}

function onBoundary(text: string, offset: number): number {
  const snapped = snapToBoundary(text, offset);
  return snapped === offset ? offset : nextBoundary(text, snapped);
}
