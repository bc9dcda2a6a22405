/** Measures the columns of text, and cuts by columns; by the rules of string-width 8, without its cost. */

import { eastAsianWidth } from 'get-east-asian-width';
import type { SafeText } from '../safe-text.ts';
import { codePointAt, eachCluster, isPlain } from './clusters.ts';
import { lazyPattern } from './lazy-pattern.ts';

const printableAscii = /^[\x20-\x7e]*$/;
const invisible = lazyPattern(() => /^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Mn}\p{Me}\p{Cs}]$/u);
/** What widens a cluster besides its first character: letters of a conjunct, spacing marks, halfwidth voicing marks. */
const widening = lazyPattern(() => /^(?![\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb])[\p{Lo}\p{Mc}\uff00-\uffef]$/u);
/** Emoji made of several code points; single ones are as wide as their East Asian Width says. */
const emojiSequence = lazyPattern(
  () =>
    /^(?:[\d#*]\ufe0f?\u20e3|(?=\p{Extended_Pictographic})\p{Emoji}\ufe0f|\p{Emoji_Modifier_Base}\p{Emoji_Modifier}|[\u{1f1e6}-\u{1f1ff}]{2})$/u,
);
/** The limit in UTF-16 units; in a longer cluster every pictograph is counted. */
const longestJoined = 50;
const pictographs = /\p{Extended_Pictographic}/gu;
const conjoiningJamo = /[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/;

const cacheLimit = 2048;
const cache = new Map<string, number>();

/** Columns that `text` takes on a terminal; controls take none. */
export function width(text: string): number {
  if (printableAscii.test(text)) return text.length;
  let total = 0;
  eachCluster(text, 0, (start, end, codePoint) => {
    total += clusterWidth(text, start, end, codePoint);
    return true;
  });
  return total;
}

/** Columns of one cluster, in the terms of `eachCluster`. */
export function clusterWidth(text: string, start: number, end: number, codePoint: number): number {
  if (codePoint >= 0x20 && codePoint < 0x7f) return 1;
  if (codePoint >= 0x4e00 && codePoint <= 0x9fff) return 2;
  const key = text.slice(start, end);
  const known = cache.get(key);
  if (known !== undefined) return known;
  const measured = codePoint >= 0 ? codePointWidth(codePoint) : measure(key);
  if (cache.size >= cacheLimit) cache.clear();
  cache.set(key, measured);
  return measured;
}

/** Plain characters are measured without the large pattern, which takes milliseconds of the start to make. */
const codePointWidth = (codePoint: number): number =>
  (codePoint <= 0xad || !isPlain(codePoint)) && invisible().test(String.fromCodePoint(codePoint))
    ? 0
    : eastAsianWidth(codePoint);

/**
 * A cluster of several code points. Conjuncts of Indic letters count every letter, as terminals do and as they did
 * before UAX #29 made them one cluster; string-width counts the first.
 */
function measure(cluster: string): number {
  const visible = [...cluster].filter((character) => !invisible().test(character));
  if (visible.length === 0) return 0;
  if (emojiSequence().test(cluster)) return 2;
  if (cluster.includes('\u200d') && cluster.length <= longestJoined && (cluster.match(pictographs)?.length ?? 0) >= 2)
    return 2;
  if (conjoiningJamo.test(visible[0] ?? '')) return jamoWidth(visible);
  let total = 0;
  for (const [index, character] of visible.entries()) {
    if (index === 0 || widening().test(character)) total += eastAsianWidth(codePointAt(character, 0));
  }
  return total;
}

const isLeading = (c: number): boolean => (c >= 0x1100 && c <= 0x115f) || (c >= 0xa960 && c <= 0xa97c);
const isVowel = (c: number): boolean => (c >= 0x1160 && c <= 0x11a7) || (c >= 0xd7b0 && c <= 0xd7c6);
const isSyllable = (c: number): boolean => c >= 0xac00 && c <= 0xd7a3;
const isTrailing = (c: number): boolean => (c >= 0x11a8 && c <= 0x11ff) || (c >= 0xd7cb && c <= 0xd7fb);

/**
 * A leading consonant with a vowel (and a trailing consonant) is one block of two columns. So is a syllable with the vowels
 * and trailing consonants after it. Everything else has the sum of its widths.
 */
function jamoWidth(visible: readonly string[]): number {
  const codePoints = visible.map((character) => codePointAt(character, 0));
  let total = 0;
  for (let index = 0; index < codePoints.length; index++) {
    const codePoint = codePoints[index] ?? 0;
    total += eastAsianWidth(codePoint);
    if (isSyllable(codePoint))
      while (isVowel(codePoints[index + 1] ?? 0) || isTrailing(codePoints[index + 1] ?? 0)) index++;
    if (isLeading(codePoint) && isVowel(codePoints[index + 1] ?? 0)) {
      index += isTrailing(codePoints[index + 2] ?? 0) ? 2 : 1;
    }
  }
  return total;
}

/** The longest beginning of `text` that fits into `columns`; never a part of a cluster. */
export function cut(text: SafeText, columns: number): SafeText {
  return text.slice(0, fittingUnits(text, columns)) as SafeText;
}

/** `text` when it fits, else its beginning and the ellipsis; always within `columns`. */
export function truncate(text: SafeText, columns: number, ellipsis = '…' as SafeText): SafeText {
  if (fittingUnits(text, columns) === text.length) return text;
  const room = columns - width(ellipsis);
  if (room < 0) return cut(ellipsis, columns);
  return (cut(text, room) + ellipsis) as SafeText;
}

/** Adds spaces up to `columns`; wider text stays as it is. */
export function padEnd(text: SafeText, columns: number): SafeText {
  const missing = columns - width(text);
  return missing > 0 ? ((text + ' '.repeat(missing)) as SafeText) : text;
}

/** The Thai and Lao vowel AM is kept as two characters, the second of which is a cluster of its own. */
const isWithinAm = (text: string, at: number): boolean =>
  (text.charCodeAt(at) === 0x0e32 && text.charCodeAt(at - 1) === 0x0e4d) ||
  (text.charCodeAt(at) === 0x0eb2 && text.charCodeAt(at - 1) === 0x0ecd);

/** UTF-16 units of the longest beginning within `columns`; looks no further than that. */
function fittingUnits(text: string, columns: number): number {
  if (columns <= 0) return 0;
  if (text.length <= columns && printableAscii.test(text)) return text.length;
  let used = 0;
  let fitting = 0;
  let last = 0;
  eachCluster(text, 0, (start, end, codePoint) => {
    used += clusterWidth(text, start, end, codePoint);
    if (used > columns) return false;
    fitting = end;
    last = start;
    return true;
  });
  return isWithinAm(text, fitting) ? last : fitting;
}
