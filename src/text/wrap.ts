/** Breaks text into rows for reading; `layoutEditable` does it for writing. */
import { eachCluster } from './clusters.ts';
import { nextBoundary } from './graphemes.ts';
import { rowEnd } from './line-break.ts';
import type { SafeText } from './safe-text.ts';
import { clusterWidth } from './width.ts';

export { type EditableLayout, type EditableLine, layoutEditable } from './editable.ts';

export interface BodyLimits {
  readonly maxClusters: number;
  readonly maxLines: number;
}

/** What a message shows before "show more" (reliability.md R-SAN-5). */
export const bodyLimits: BodyLimits = { maxClusters: 4000, maxLines: 200 };

/**
 * Rows of at most `columns` columns: broken at line feeds, then at spaces (which are dropped there), after hyphens and
 * slashes, around wide characters, and inside words that are longer than a row. A character wider than a row becomes `…`.
 */
export function wrap(text: SafeText, columns: number): readonly SafeText[] {
  const lines: SafeText[] = [];
  wrapInto(lines, text, Math.max(1, columns), Number.POSITIVE_INFINITY);
  return lines;
}

/** The first rows of a body; costs what is shown, whatever the length of `text`. */
export function wrapBody(
  text: SafeText,
  columns: number,
  limits: BodyLimits = bodyLimits,
): { readonly lines: readonly SafeText[]; readonly isCut: boolean } {
  const shown = firstClusters(text, limits.maxClusters);
  const lines: SafeText[] = [];
  const isWhole = wrapInto(lines, shown, Math.max(1, columns), limits.maxLines);
  return { lines, isCut: !isWhole || shown.length < text.length };
}

function firstClusters(text: SafeText, count: number): SafeText {
  if (text.length <= count) return text;
  let left = count;
  let end = 0;
  eachCluster(text, 0, (_start, to) => {
    if (left-- <= 0) return false;
    end = to;
    return true;
  });
  return text.slice(0, end) as SafeText;
}

/** False when `maxLines` was reached before the end of the text. */
function wrapInto(lines: SafeText[], text: string, columns: number, maxLines: number): boolean {
  let at = 0;
  for (;;) {
    if (lines.length >= maxLines) return false;
    const feed = text.indexOf('\n', at);
    const line = text.slice(at, feed < 0 ? text.length : feed);
    if (!wrapLine(lines, line, columns, maxLines)) return false;
    if (feed < 0) return true;
    at = feed + 1;
  }
}

function wrapLine(lines: SafeText[], line: string, columns: number, maxLines: number): boolean {
  let start = 0;
  do {
    if (lines.length >= maxLines) return false;
    const end = rowEnd(line, start, columns);
    lines.push(fitted(end < line.length ? withoutTrailingSpaces(line.slice(start, end)) : line.slice(start), columns));
    start = end;
    if (end < line.length) while (isLooseSpace(line, start)) start++;
  } while (start < line.length);
  return true;
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
function fitted(row: string, columns: number): SafeText {
  let isTooWide = false;
  eachCluster(row, 0, (start, end, codePoint) => {
    isTooWide = clusterWidth(row, start, end, codePoint) > columns;
    return false;
  });
  return (isTooWide ? '…' : row) as SafeText;
}
