/** Breaks text into rows for reading; `layoutEditable` does it for writing. */

import { type SafeText, safe } from '../safe-text.ts';
import { walkOnce } from '../unicode/clusters.ts';
import { nextBoundary } from '../unicode/graphemes.ts';
import { clusterWidth, truncate, width } from '../unicode/width.ts';
import { rowFit } from './line-break.ts';

export { type EditableLayout, type EditableLine, layoutEditable } from './editable.ts';

/** A row of text, and the columns that it takes. */
export interface Line {
  readonly text: SafeText;
  readonly width: number;
}

/**
 * Rows of at most `columns` columns: broken at line feeds, then at spaces (which are dropped there), after hyphens and
 * slashes, around wide characters, and inside words that are longer than a row. A character wider than a row becomes `…`.
 */
export const wrap = (text: SafeText, columns: number): readonly SafeText[] =>
  wrapMeasured(text, columns).map((line) => line.text);

/** The same with what each row takes, which is known from breaking it. */
export function wrapMeasured(text: SafeText, columns: number): readonly Line[] {
  const lines: Line[] = [];
  for (const line of text.split('\n')) wrapLine(lines, line, Math.max(1, columns));
  return lines;
}

/** So many of the rows; where there are more, the last one shows that it goes on. */
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

/** The text and what stands behind it in so many rows; where that is too much, the text is cut and the end stays whole. */
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

const tooWide: Line = { text: '…' as SafeText, width: 1 };

function wrapLine(lines: Line[], line: string, columns: number): void {
  const walk = walkOnce(line);
  let start = 0;
  do {
    const fit = rowFit(line, start, columns, clusterWidth, walk);
    const whole = line.slice(start, fit.end);
    const row = fit.end < line.length ? withoutTrailingSpaces(whole) : whole;
    const taken = fit.columns - (whole.length - row.length);
    lines.push(taken > columns ? tooWide : { text: row as SafeText, width: taken });
    start = fit.end;
    if (start < line.length) while (isLooseSpace(line, start)) start++;
  } while (start < line.length);
}

/** A space that no mark stands on. */
function isLooseSpace(line: string, offset: number): boolean {
  return line.charCodeAt(offset) === 0x20 && nextBoundary(line, offset) === offset + 1;
}

function withoutTrailingSpaces(row: string): string {
  let end = row.length;
  while (end > 0 && row.charCodeAt(end - 1) === 0x20) end--;
  return row.slice(0, end);
}
