/** The composer's text as rows of cells, with the way from an offset to its cell and back. */
import { eachCluster } from './clusters.ts';
import { type Measure, rowEnd } from './line-break.ts';
import type { SafeText } from './safe-text.ts';
import { sanitizeLine } from './sanitize.ts';
import { clusterWidth, width } from './width.ts';

/** One row; offsets are UTF-16 units in the raw text. */
export interface EditableLine {
  readonly start: number;
  readonly end: number;
  /** What is drawn: odd characters as `sanitizeLine` draws them. */
  readonly text: SafeText;
  /** The row ends by wrapping, so that a cursor at `end` is drawn at the start of the next row. */
  readonly isSoft: boolean;
}

export interface EditableLayout {
  /** At least one row. */
  readonly lines: readonly EditableLine[];
  /** The cell of the cluster at an offset; every cell lies inside `columns`. */
  cellOf(offset: number): { readonly line: number; readonly column: number };
  /** The cluster boundary at or left of a cell; a line or column outside is taken as the nearest one. */
  offsetAt(line: number, column: number): number;
}

/** A row of one logical line, in offsets of that line. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly text: SafeText;
}

/** Logical lines already laid out at `cachedColumns`: a typed character lays out its own line alone. */
const pieces = new Map<string, readonly Piece[]>();
const cacheLimit = 2000;
let cachedColumns = 0;
let latest: { readonly text: string; readonly columns: number; readonly layout: EditableLayout } | null = null;

/**
 * Rows of at most `columns` cells in which every offset of `text` has a place: soft wraps between words drop nothing,
 * and after a row that ends full the cursor has an empty row to stand on.
 */
export function layoutEditable(text: string, columns: number): EditableLayout {
  const room = Math.max(1, Math.floor(columns));
  if (latest !== null && latest.text === text && latest.columns === room) return latest.layout;
  const layout = createLayout(text, room);
  latest = { text, columns: room, layout };
  return layout;
}

function createLayout(text: string, columns: number): EditableLayout {
  const lines = linesOf(text, columns);
  const lineAt = (offset: number): number => {
    let low = 0;
    let high = lines.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((lines[middle]?.start ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    lines,
    cellOf(offset) {
      const line = lineAt(offset);
      const row = lines[line];
      return { line, column: row === undefined ? 0 : columnIn(text, row, offset, columns) };
    },
    offsetAt(line, column) {
      const row = lines[Math.min(Math.max(0, line), lines.length - 1)];
      return row === undefined ? 0 : offsetIn(text, row, column, columns);
    },
  };
}

function linesOf(text: string, columns: number): readonly EditableLine[] {
  const lines: EditableLine[] = [];
  let at = 0;
  for (;;) {
    const feed = text.indexOf('\n', at);
    const line = text.slice(at, feed < 0 ? text.length : feed);
    const rows = piecesOf(line, columns);
    for (const [index, piece] of rows.entries()) {
      lines.push({ start: at + piece.start, end: at + piece.end, text: piece.text, isSoft: index < rows.length - 1 });
    }
    if (feed < 0) return lines;
    at = feed + 1;
  }
}

function piecesOf(line: string, columns: number): readonly Piece[] {
  if (columns !== cachedColumns) pieces.clear();
  cachedColumns = columns;
  const known = pieces.get(line);
  if (known !== undefined) return known;
  if (pieces.size >= cacheLimit) pieces.clear();
  const rows = layOut(line, columns);
  pieces.set(line, rows);
  return rows;
}

function layOut(line: string, columns: number): readonly Piece[] {
  const isClean = sanitizeLine(line) === line;
  const measure = isClean ? clusterWidth : drawnWidth(columns);
  const rows: Piece[] = [];
  let start = 0;
  let isFull = false;
  do {
    const end = rowEnd(line, start, columns, measure);
    const raw = line.slice(start, end);
    const text = isClean ? (raw as SafeText) : drawn(raw, columns);
    const used = width(text);
    rows.push({ start, end, text: used > columns ? ('…' as SafeText) : text });
    isFull = used >= columns;
    start = end;
  } while (start < line.length);
  if (isFull) rows.push({ start, end: start, text: '' as SafeText });
  return rows;
}

function drawCluster(text: string, start: number, end: number, columns: number): SafeText {
  const picture = sanitizeLine(text.slice(start, end));
  return width(picture) > columns ? ('…' as SafeText) : picture;
}

function drawn(row: string, columns: number): SafeText {
  let out = '';
  eachCluster(row, 0, (start, end, codePoint) => {
    out += isPlain(codePoint) ? row.slice(start, end) : drawCluster(row, start, end, columns);
    return true;
  });
  return out as SafeText;
}

const drawnWidth =
  (columns: number): Measure =>
  (text, start, end, codePoint) =>
    isPlain(codePoint) ? 1 : width(drawCluster(text, start, end, columns));

const isPlain = (codePoint: number): boolean => codePoint >= 0x20 && codePoint < 0x7f;

/** The row's text is the raw text, so that its clusters can be measured without being drawn. */
const isLiteral = (text: string, row: EditableLine): boolean => text.slice(row.start, row.end) === row.text;

function eachCell(
  text: string,
  row: EditableLine,
  columns: number,
  visit: (start: number, end: number, columns: number) => boolean,
): void {
  const raw = text.slice(row.start, row.end);
  const measure = isLiteral(text, row) ? clusterWidth : drawnWidth(columns);
  eachCluster(raw, 0, (start, end, codePoint) =>
    visit(row.start + start, row.start + end, Math.min(columns, measure(raw, start, end, codePoint))),
  );
}

function columnIn(text: string, row: EditableLine, offset: number, columns: number): number {
  let column = 0;
  eachCell(text, row, columns, (_start, end, cells) => {
    if (end > offset) return false;
    column += cells;
    return true;
  });
  return Math.min(column, columns - 1);
}

function offsetIn(text: string, row: EditableLine, column: number, columns: number): number {
  let used = 0;
  let found = row.start;
  let isInside = false;
  eachCell(text, row, columns, (start, _end, cells) => {
    found = start;
    used += cells;
    isInside = used > column;
    return !isInside;
  });
  return isInside || row.isSoft ? found : row.end;
}
