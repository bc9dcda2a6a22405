/** Finds where words begin in Thai, Lao, Burmese and Khmer, which are written without spaces between words. */
import { withWholeAm } from '../unicode/cluster-rules.ts';
import { snapToBoundary, wordSegments } from '../unicode/graphemes.ts';

const isUnspaced = (unit: number): boolean =>
  (unit >= 0xe00 && unit <= 0xeff) || (unit >= 0x1000 && unit <= 0x109f) || (unit >= 0x1780 && unit <= 0x17ff);

/** The number of units after the offset that are examined, because the boundaries depend on the words around it. */
const unitsBehind = 32;

/** The last place before or at `offset` and behind `from` where a word of these languages begins; −1: there is none. */
export function unspacedWordStart(line: string, from: number, offset: number): number {
  if (!isUnspaced(line.charCodeAt(offset - 1)) || !isUnspaced(line.charCodeAt(offset))) return -1;
  let start = offset;
  while (start > from && isUnspaced(line.charCodeAt(start - 1))) start--;
  let end = offset;
  while (end < offset + unitsBehind && isUnspaced(line.charCodeAt(end))) end++;
  const units = unitsBefore(line.slice(start, end), offset - start);
  return units > 0 && snapToBoundary(line, start + units) === start + units ? start + units : -1;
}

const known = new Map<string, number>();
const cacheLimit = 500;

/**
 * The units of a run before the word that holds an offset. The words of the dictionary have a whole AM. Remembered, as a
 * typed character lays its line out again.
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
