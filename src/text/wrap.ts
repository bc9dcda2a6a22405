/** Breaks text into rows for reading; `layoutEditable` does it for writing. */
import { type Walk, walkOnce } from './clusters.ts';
import { nextBoundary } from './graphemes.ts';
import { rowEnd } from './line-break.ts';
import { type SafeText, safe } from './safe-text.ts';
import { clusterWidth, truncate, width } from './width.ts';

export { type EditableLayout, type EditableLine, layoutEditable } from './editable.ts';

/**
 * Rows of at most `columns` columns: broken at line feeds, then at spaces (which are dropped there), after hyphens and
 * slashes, around wide characters, and inside words that are longer than a row. A character wider than a row becomes `…`.
 */
export function wrap(text: SafeText, columns: number): readonly SafeText[] {
  const lines: SafeText[] = [];
  for (const line of text.split('\n')) wrapLine(lines, line, Math.max(1, columns));
  return lines;
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

function wrapLine(lines: SafeText[], line: string, columns: number): void {
  const walk = walkOnce(line);
  let start = 0;
  do {
    const end = rowEnd(line, start, columns, clusterWidth, walk);
    const row = end < line.length ? withoutTrailingSpaces(line.slice(start, end)) : line.slice(start);
    lines.push((isTooWide(line, start, columns, walk) ? '…' : row) as SafeText);
    start = end;
    if (end < line.length) while (isLooseSpace(line, start)) start++;
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

/** A row is too wide only when its one cluster is. */
function isTooWide(line: string, start: number, columns: number, walk: Walk): boolean {
  let answer = false;
  walk(line, start, (from, to, codePoint) => {
    answer = clusterWidth(line, from, to, codePoint) > columns;
    return false;
  });
  return answer;
}
