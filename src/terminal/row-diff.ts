/** Finds the columns in which two rows differ. */
import type { Row, Span } from '../text/layout/row.ts';
import { rowWidth } from '../text/layout/row.ts';
import { width } from '../text/unicode/width.ts';
import { isDrawnAlikeAt, maySpill } from './glyph-widths.ts';
import { hyperlinkStart } from './hyperlink.ts';

/** Columns to rewrite: from `from` up to, not including, `to`; then blank up to `clearTo` when that is greater. */
export interface Change {
  readonly from: number;
  readonly to: number;
  readonly clearTo: number;
}

/**
 * Returns one stretch per row: what both rows have in common at the left and at the right stays as it is. Both ends are
 * between clusters in both rows.
 * @returns null when the rows look alike
 */
export function changeBetween(before: Row, after: Row): Change | null {
  if (before === after) return null;
  const beforeWidth = rowWidth(before);
  const afterWidth = rowWidth(after);
  const from = commonPrefix(before, after);
  if (from === beforeWidth && from === afterWidth) return null;
  if (beforeWidth !== afterWidth) return { from, to: afterWidth, clearTo: beforeWidth };
  const to = afterWidth - commonSuffix(before, after, afterWidth - from);
  return { from, to, clearTo: to };
}

/** Whether a terminal may draw a cluster of the row wider than we count, over its neighbours. */
export const isSpilling = (row: Row): boolean => row.some(({ text }) => maySpill(text));

/** The change that draws the whole row and blanks the rest, for a row of unknown content. */
export function wholeChange(row: Row, columns: number): Change {
  const to = rowWidth(row);
  return { from: 0, to, clearTo: Math.max(to, columns) };
}

/** Whether the same text in the two looks alike. A link leads somewhere else although its text is the same. */
const isAlike = (one: Span, two: Span): boolean =>
  one.style === two.style && (one.target === two.target || hyperlinkStart(one.target) === hyperlinkStart(two.target));

function commonPrefix(a: Row, b: Row): number {
  let column = 0;
  let i = 0;
  let j = 0;
  let atA = 0;
  let atB = 0;
  for (;;) {
    const one = a[i];
    const two = b[j];
    if (one === undefined || two === undefined || !isAlike(one, two)) return column;
    if (atA === 0 && atB === 0 && one.text === two.text) {
      column += one.width;
      i++;
      j++;
      continue;
    }
    const most = Math.min(one.text.length - atA, two.text.length - atB);
    let same = 0;
    while (same < most && one.text.charCodeAt(atA + same) === two.text.charCodeAt(atB + same)) same++;
    const isDifferent = same < most;
    while (same > 0 && !(isBoundary(one.text, atA + same) && isBoundary(two.text, atB + same))) same--;
    if (same === 0) return column;
    column += widthOf(one.text, atA, atA + same);
    if (isDifferent || same < most) return column;
    atA += same;
    atB += same;
    if (atA === one.text.length) {
      i++;
      atA = 0;
    }
    if (atB === two.text.length) {
      j++;
      atB = 0;
    }
  }
}

/** @param most columns that the suffix may take, so that it does not run into the common prefix */
function commonSuffix(a: Row, b: Row, most: number): number {
  let columns = 0;
  let i = a.length - 1;
  let j = b.length - 1;
  let atA = a[i]?.text.length ?? 0;
  let atB = b[j]?.text.length ?? 0;
  for (;;) {
    const one = a[i];
    const two = b[j];
    if (one === undefined || two === undefined || !isAlike(one, two)) return columns;
    let same = 0;
    const units = Math.min(atA, atB);
    while (same < units && one.text.charCodeAt(atA - same - 1) === two.text.charCodeAt(atB - same - 1)) same++;
    const isDifferent = same < units;
    while (same > 0 && !(isBoundary(one.text, atA - same) && isBoundary(two.text, atB - same))) same--;
    const wide = widthOf(one.text, atA - same, atA);
    if (same === 0) return columns;
    if (columns + wide > most) return columns + shortened(one.text, atA - same, atA, most - columns, wide);
    columns += wide;
    if (isDifferent || same < units) return columns;
    atA -= same;
    atB -= same;
    if (atA === 0) {
      i--;
      atA = a[i]?.text.length ?? 0;
    }
    if (atB === 0) {
      j--;
      atB = b[j]?.text.length ?? 0;
    }
  }
}

/** The columns of the widest end of the text that fits, cut at a boundary; repeated text may reach into the common prefix. */
function shortened(text: string, from: number, to: number, most: number, wide: number): number {
  if (wide <= most) return wide;
  for (let at = Math.max(from, to - most); at < to; at++) {
    const columns = isBoundary(text, at) ? widthOf(text, at, to) : most + 1;
    if (columns <= most) return columns;
  }
  return 0;
}

/** Whether a row may be cut here: at the ends of a span and between characters that do not join. */
function isBoundary(text: string, offset: number): boolean {
  return offset <= 0 || offset >= text.length || (isDrawnAlikeAt(text, offset - 1) && isDrawnAlikeAt(text, offset));
}

function widthOf(text: string, from: number, to: number): number {
  return width(text.slice(from, to));
}
