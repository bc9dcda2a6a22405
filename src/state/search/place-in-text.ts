/** Finds where in a long message the words of a search are, so that it can be shown there. */
import { partEnd } from '../../text/layout/parts.ts';
import { wrap } from '../../text/layout/wrap.ts';
import { sanitizeBody } from '../../text/safe/sanitize.ts';
import { offsetOfWords } from '../../text/search/find.ts';

export interface PlaceInText {
  /** How many parts of the message are before the one with the words. */
  readonly part: number;
  /** The row of that part; it may be another one by a few rows where the text is formatted. */
  readonly row: number;
}

/** Returns the place of the word that begins last: common words are near it as well, a rare one may be there alone. */
export function placeInText(raw: string, words: readonly string[], columns: number): PlaceInText {
  const offset = offsetOfWords(raw, words, Math.max);
  let start = 0;
  let part = 0;
  for (let end = partEnd(raw, 0); end <= offset && end < raw.length; end = partEnd(raw, start)) {
    start = end;
    part++;
  }
  const before = sanitizeBody(raw.slice(start, offset));
  return { part, row: Math.max(0, wrap(before, columns).length - 1) };
}
