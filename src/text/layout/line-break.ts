/** Finds where a line of text may be broken into rows, for reading (`wrap`) and for writing (`layoutEditable`). */
import { withWholeAm } from '../unicode/cluster-rules.ts';
import { codePointAt, eachCluster, type Walk } from '../unicode/clusters.ts';
import { snapToBoundary, wordSegments } from '../unicode/graphemes.ts';
import { clusterWidth } from '../unicode/width.ts';

const space = 0x20;
const tab = 0x09;
const hyphen = 0x2d;
const slash = 0x2f;

/** Closing marks that should not begin a row. */
const closing = '、。，．！？：；」』）〕】〉》］｝…ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ';

const isPrintableAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/** The end of a row and the columns up to there; these exceed the limit when the row's only cluster does not fit. */
export interface RowFit {
  readonly end: number;
  readonly columns: number;
}

/** Columns of a cluster, in the terms of `eachCluster`; `column` is where it begins, on which those of a tab depend. */
export type Measure = (text: string, start: number, end: number, codePoint: number, column: number) => number;

/**
 * The end of the row that begins at the cluster boundary `start` of a line without line feeds: after the last space,
 * hyphen, slash or wide character, or before the last Thai word, that leaves the row within `columns`, else where the
 * columns end; never in an indent. Always further than `start`, even when not one cluster fits.
 */
export function rowFit(
  line: string,
  start: number,
  columns: number,
  measure: Measure = clusterWidth,
  walk: Walk = eachCluster,
): RowFit {
  if (measure === clusterWidth && isPrintableAscii(line.slice(start, start + columns + 1))) {
    const end = asciiRowEnd(line, start, columns);
    return { end, columns: end - start };
  }
  let used = 0;
  let opportunity = start;
  let usedThere = 0;
  let fit: RowFit | null = null;
  let previous = 0;
  let wasWide = false;
  let hasInk = start > 0;
  walk(line, start, (from, to, codePoint) => {
    const columnsHere = measure(line, from, to, codePoint, used);
    // A line cannot break at a space with a combining mark.
    const shown = codePoint >= 0 || line.charCodeAt(from) === space ? codePoint : codePointAt(line, from);
    const first = shown === tab ? space : shown;
    const isWide = columnsHere > 1 && !isWordLike(first === space ? space : codePointAt(line, from));
    if (hasInk && from > start && mayBreakBetween(line, from, previous, wasWide, first, isWide)) {
      opportunity = from;
      usedThere = used;
    }
    if (used + columnsHere > columns) {
      const word = unspacedWordStart(line, opportunity, from);
      if (word > 0) fit = { end: word, columns: usedThere + columnsOf(line, opportunity, word, measure, walk) };
      else if (opportunity > start) fit = { end: opportunity, columns: usedThere };
      else fit = from > start ? { end: from, columns: used } : { end: to, columns: columnsHere };
      return false;
    }
    used += columnsHere;
    hasInk ||= first !== space;
    previous = first;
    wasWide = isWide;
    return true;
  });
  return fit ?? { end: line.length, columns: used };
}

function columnsOf(line: string, start: number, end: number, measure: Measure, walk: Walk): number {
  let columns = 0;
  walk(line, start, (from, to, codePoint) => {
    if (from >= end) return false;
    columns += measure(line, from, to, codePoint, columns);
    return true;
  });
  return columns;
}

/** Does the same as `rowFit` for a row whose characters all take one column; returns the end of the row. */
function asciiRowEnd(line: string, start: number, columns: number): number {
  const limit = start + columns;
  if (line.length <= limit) return line.length;
  let ink = start;
  if (start === 0) while (ink < limit && line.charCodeAt(ink) === space) ink++;
  for (let at = limit; at > ink; at--) {
    if (mayBreakBetween(line, at, line.charCodeAt(at - 1), false, line.charCodeAt(at), false)) return at;
  }
  return limit;
}

/** Hangul and conjuncts of Indic letters break between words; emoji and ideographs break anywhere. */
const isWordLike = (codePoint: number): boolean => codePoint < 0x2000 || (codePoint >= 0xac00 && codePoint <= 0xd7a3);

function mayBreakBetween(
  line: string,
  offset: number,
  before: number,
  wasWide: boolean,
  after: number,
  isWide: boolean,
): boolean {
  if (after === space) return before !== space;
  if (before === space || before === 0x3000) return true;
  if (isWide || wasWide) return after > 0xffff || !closing.includes(String.fromCharCode(Math.max(0, after)));
  if (before !== hyphen && before !== slash) return false;
  return isLetterOrDigit(after) && isLetterOrDigit(line.charCodeAt(offset - 2));
}

/** Keeps `--option`, `://`, ` -1` and `->` in one piece. */
function isLetterOrDigit(codePoint: number): boolean {
  if (codePoint >= 0x80) return true;
  return (
    (codePoint >= 0x30 && codePoint <= 0x39) ||
    (codePoint >= 0x41 && codePoint <= 0x5a) ||
    (codePoint >= 0x61 && codePoint <= 0x7a)
  );
}

/** Whether the unit is of Thai, Lao, Burmese or Khmer, which are written without spaces between words. */
const isUnspaced = (unit: number): boolean =>
  (unit >= 0xe00 && unit <= 0xeff) || (unit >= 0x1000 && unit <= 0x109f) || (unit >= 0x1780 && unit <= 0x17ff);

/** The number of units after the offset that are examined, because the boundaries depend on the words around it. */
const unitsAfter = 32;

/** The last place before or at `offset` and after `from` where a word of these languages begins; −1: there is none. */
function unspacedWordStart(line: string, from: number, offset: number): number {
  if (!isUnspaced(line.charCodeAt(offset - 1)) || !isUnspaced(line.charCodeAt(offset))) return -1;
  let start = offset;
  while (start > from && isUnspaced(line.charCodeAt(start - 1))) start--;
  let end = offset;
  while (end < offset + unitsAfter && isUnspaced(line.charCodeAt(end))) end++;
  const units = unitsBefore(line.slice(start, end), offset - start);
  return units > 0 && snapToBoundary(line, start + units) === start + units ? start + units : -1;
}

const known = new Map<string, number>();
const cacheLimit = 500;

/**
 * The units of a run before the word that holds an offset. In the dictionary, the vowel AM is one character. The answer
 * is remembered, because each typed character lays its line out again.
 */
function unitsBefore(run: string, offset: number): number {
  const key = `${offset} ${run}`;
  let units = known.get(key);
  if (units !== undefined) return units;
  const place = withWholeAm(run.slice(0, offset + 1)).length - 1;
  const index = wordSegments(withWholeAm(run)).containing(place)?.index ?? 0;
  units = index;
  while (withWholeAm(run.slice(0, units + 1)).length <= index) units++;
  if (known.size >= cacheLimit) known.clear();
  known.set(key, units);
  return units;
}
