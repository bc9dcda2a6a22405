/** Breaks text into rows for reading; `layoutEditable` does it for writing. */

import { literal, type SafeText, safe } from '../safe-text.ts';
import { walkOnce } from '../unicode/clusters.ts';
import { nextBoundary, snapToBoundary } from '../unicode/graphemes.ts';
import { clusterWidth, truncate, width } from '../unicode/width.ts';
import { rowFit } from './line-break.ts';
import { type Row, type Span, type Style, span, type Target } from './row.ts';

export { type EditableLayout, type EditableLine, layoutEditable } from './editable.ts';

/** A part of a text with its own style, in UTF-16 units; `end` is exclusive. */
export interface StyledRange {
  readonly start: number;
  readonly end: number;
  readonly style: Style;
  readonly target?: Target;
}

interface Line {
  readonly text: SafeText;
  readonly width: number;
  /** Where it begins in the whole text. */
  readonly start: number;
  /** What was left out between the row above and this one: blanks, and the line feed where a line begins. */
  readonly before: SafeText;
}

/**
 * Rows of at most `columns` columns: broken at line feeds, then at spaces (which are dropped there), after hyphens and
 * slashes, around wide characters, and inside words that are longer than a row. A character wider than a row becomes `…`.
 */
export const wrap = (text: SafeText, columns: number): readonly SafeText[] =>
  linesOf(text, columns).map((line) => line.text);

/**
 * Breaks text as `wrap` does, into rows of spans. A range that continues on the next row keeps its style and target there.
 * @param ranges from left to right, without overlap
 */
export function wrapStyled(
  text: SafeText,
  columns: number,
  style: Style,
  ranges: readonly StyledRange[] = [],
): readonly Row[] {
  let first = 0;
  return linesOf(text, columns).map((line) => {
    while (first < ranges.length && (ranges[first]?.end ?? 0) <= line.start) first++;
    return styledRow(line, style, ranges, first);
  });
}

const noBreakSpace = '\u00a0';

/** The text with spaces at which no row ends; `withPlainSpaces` makes them plain again once the rows are made. */
export const withNoBreakSpaces = (text: SafeText): SafeText => text.replaceAll(' ', noBreakSpace) as SafeText;

export const withPlainSpaces = (row: Row): Row =>
  row.map((one) => ({ ...one, text: one.text.replaceAll(noBreakSpace, ' ') as SafeText }));

function styledRow(line: Line, style: Style, ranges: readonly StyledRange[], first: number): Row {
  const { text, start, before } = line;
  const spans: Span[] = [];
  let at = 0;
  const addUpTo = (end: number, from: Pick<StyledRange, 'style' | 'target'>): void => {
    const cut = snapToBoundary(text, end - start);
    if (cut <= at) return;
    const part = span(text.slice(at, cut) as SafeText, from.style, from.target);
    spans.push({ ...part, before: at === 0 ? before : nothing });
    at = cut;
  };
  for (let i = first; i < ranges.length; i++) {
    const range = ranges[i];
    if (range === undefined || range.start >= start + text.length) break;
    addUpTo(range.start, { style });
    addUpTo(range.end, range);
  }
  if (at === 0) return [{ text, style, width: line.width, before }];
  addUpTo(start + text.length, { style });
  return spans;
}

const nothing = literal('');

function linesOf(text: SafeText, columns: number): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  let leftOut = nothing;
  for (const line of text.split('\n')) {
    leftOut = wrapLine(lines, line, start, Math.max(1, columns), safe`${leftOut}\n`);
    start += line.length + 1;
  }
  return lines;
}

/** Keeps at most `rows` lines; the last one ends with the ellipsis when lines were left out. */
export function cutLines(
  lines: readonly SafeText[],
  columns: number,
  rows: number,
  ellipsis: SafeText,
): readonly SafeText[] {
  const last = lines[rows - 1];
  if (last === undefined || lines.length <= rows) return lines;
  return [...lines.slice(0, rows - 1), truncate(safe`${last}${ellipsis}`, columns, ellipsis)];
}

/** Wraps `text` followed by `end` into at most `rows` rows; the text is cut where needed, the end never. */
export function wrapWithEnd(
  text: SafeText,
  end: SafeText,
  columns: number,
  rows: number,
  ellipsis: SafeText,
): readonly SafeText[] {
  const most = columns * rows;
  let start = truncate(text, most, ellipsis);
  let lines = wrap(safe`${start}${end}`, columns);
  for (let room = most - width(end); lines.length > rows && room > 0; room--) {
    start = truncate(text, room, ellipsis);
    lines = wrap(safe`${start}${end}`, columns);
  }
  return lines.slice(0, rows);
}

/** Returns the blanks that were left out at the end of the line. */
function wrapLine(lines: Line[], line: string, lineStart: number, columns: number, lineBreak: SafeText): SafeText {
  const walk = walkOnce(line);
  let start = 0;
  let before = lineBreak;
  do {
    const fit = rowFit(line, start, columns, clusterWidth, walk);
    const whole = line.slice(start, fit.end);
    const row = fit.end < line.length ? withoutTrailingSpaces(whole) : whole;
    const taken = fit.columns - (whole.length - row.length);
    const isTooWide = taken > columns;
    lines.push({
      text: (isTooWide ? '…' : row) as SafeText,
      width: isTooWide ? 1 : taken,
      start: lineStart + start,
      before,
    });
    const end = start + row.length;
    start = fit.end;
    if (start < line.length) while (isLooseSpace(line, start)) start++;
    before = line.slice(end, start) as SafeText;
  } while (start < line.length);
  return before;
}

/** A space without a combining mark. */
function isLooseSpace(line: string, offset: number): boolean {
  return line.charCodeAt(offset) === 0x20 && nextBoundary(line, offset) === offset + 1;
}

function withoutTrailingSpaces(row: string): string {
  let end = row.length;
  while (end > 0 && row.charCodeAt(end - 1) === 0x20) end--;
  return row.slice(0, end);
}
