/** Unicode normalisation in a time that grows only linearly with the length of the text. */

/** Combining marks, and the two halfwidth letters that become one under NFKC and NFKD. */
const longRun = /[\p{M}\uff9e\uff9f]{30}(?=[\p{M}\uff9e\uff9f])/u;
const allLongRuns = new RegExp(longRun, 'gu');

/**
 * As `String.prototype.normalize`. Putting a run of combining marks in order takes the square of its length, half a
 * minute for 100,000 of them, so a run of more than 30 is divided by U+034F, as the Stream-Safe Text Format does (UAX
 * #15, section 13).
 */
export function normalForm(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  return (longRun.test(text) ? text.replace(allLongRuns, '$&\u034f') : text).normalize(form);
}
