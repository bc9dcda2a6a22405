/**
 * Says which characters every terminal draws alike: where a row may be cut, where the column must be set again, and what may
 * take more columns than are counted. Replaces those that ASCII does not have.
 */
import { eachCluster } from '../text/unicode/clusters.ts';
import { clusterWidth } from '../text/unicode/width.ts';

/**
 * Characters that neither join a neighbour nor differ in width between terminals: printable ASCII, Latin, Cyrillic,
 * dashes and quotes, box drawing, kana, Han, Hangul syllables. Combining marks, emoji, joiners are not among them.
 */
const drawnAlike =
  '\\x20-\\x7e\\xa1-\\xac\\xae-\\xff\\u0100-\\u024f\\u0400-\\u0482\\u048a-\\u052f\\u2010-\\u2015\\u2018-\\u201f\\u2026\\u2500-\\u259f\\u3001-\\u3029\\u3041-\\u3096\\u30a1-\\u30ff\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff60';

const otherRun = new RegExp(`[^${drawnAlike}]+`, 'g');
const onlyDrawnAlike = new RegExp(`^[${drawnAlike}]*$`);
const unitDrawnAlike = new RegExp(`[${drawnAlike}]`);
const onlyAscii = /^[\x20-\x7e]*$/;

export function isAscii(text: string): boolean {
  return onlyAscii.test(text);
}

/** Whether every terminal draws the text in the same columns. */
export function isDrawnAlike(text: string): boolean {
  return onlyDrawnAlike.test(text);
}

/** The text in ASCII, in as many columns, with question marks in the place of other characters. */
export function asciiOf(text: string): string {
  if (isAscii(text)) return text;
  let shown = '';
  eachCluster(text, 0, (start, end, codePoint) => {
    const cluster = text.slice(start, end);
    shown += isAscii(cluster) ? cluster : '?'.repeat(clusterWidth(text, start, end, codePoint));
    return true;
  });
  return shown;
}

/** @param index of a UTF-16 unit; one outside the text counts as drawn alike, as nothing can join there */
export function isDrawnAlikeAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (code >= 0x20 && code <= 0x7e) return true;
  return Number.isNaN(code) || unitDrawnAlike.test(text.charAt(index));
}

/** The end offsets of the runs after which the cursor may be in another column than is counted here. */
export function resyncOffsets(text: string): number[] {
  return [...text.matchAll(otherRun)].map((match) => match.index + match[0].length);
}

/**
 * Joiners, emoji presentation, keycaps, halves of flags, skin tones and tags, which a terminal that does not join them
 * draws one by one.
 */
const joining = /[\u200d\ufe0f\u20e3\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e007f}]/u;

/** The first units of those. V8 does not look through a Latin text for them. */
const joiningUnit = /[\u200d\u20e3\ud83c\udb40]|\ufe0f/;

/** Whether a terminal may need more columns for the text than we count. */
export const maySpill = (text: string): boolean => joiningUnit.test(text) && joining.test(text);
