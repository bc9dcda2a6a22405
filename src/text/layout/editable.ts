/** Lays out the composer's text as rows, only where it is asked about, and converts offsets to cells and back. */

import { sanitizeLine, tabColumns } from '../safe/sanitize.ts';
import type { SafeText } from '../safe-text.ts';
import { eachCluster, type Walk, walkOnce } from '../unicode/clusters.ts';
import { clusterWidth, width } from '../unicode/width.ts';
import { createStretches, type Piece, type Stretch } from './editable-stretch.ts';
import { type Measure, rowFit } from './line-break.ts';

/** One row; offsets are UTF-16 units in the raw text. No two rows of a text have the same `start`. */
export interface EditableLine {
  readonly start: number;
  readonly end: number;
  /** The text that is drawn, as `sanitizeLine` makes it. */
  readonly text: SafeText;
  /** Whether the row ends by wrapping: a cursor at `end` is then drawn at the start of the next row. */
  readonly isSoft: boolean;
}

/** Rows of at most `columns` cells, with a cell for every offset. No method takes longer for a longer text. */
export interface EditableLayout {
  /** The row of a cursor at an offset. */
  rowAt(offset: number): EditableLine;
  /** The row below; null at the end of the text. */
  rowAfter(row: EditableLine): EditableLine | null;
  /** The row above; null at the start of the text. */
  rowBefore(row: EditableLine): EditableLine | null;
  /** The cell of the cluster at an offset of the row; every cell is inside `columns`. */
  columnOf(row: EditableLine, offset: number): number;
  /** The cluster boundary at or left of a cell; a column outside is taken as the nearest one. */
  offsetIn(row: EditableLine, column: number): number;
  /** How many rows there are, counted no further than `limit`. */
  rowCount(limit: number): number;
}

let latest: { readonly text: string; readonly columns: number; readonly layout: EditableLayout } | null = null;

/** Wrapping drops no space, and after a full last row of a line there is an empty one for the cursor. */
export function layoutEditable(text: string, columns: number): EditableLayout {
  const room = Math.max(1, Math.floor(columns));
  if (latest !== null && latest.text === text && latest.columns === room) return latest.layout;
  const layout = createLayout(text, room);
  latest = { text, columns: room, layout };
  return layout;
}

function createLayout(text: string, columns: number): EditableLayout {
  const stretches = createStretches(text, (line) => piecesOf(line, columns));
  const lineOf = ({ from, rows }: Stretch, index: number): EditableLine => {
    const { start, end, text: drawnText, isSoft } = rows[index] ?? nothing;
    return { start: from + start, end: from + end, text: drawnText, isSoft };
  };
  return {
    rowAt(offset) {
      const stretch = stretches.at(offset);
      return lineOf(stretch, indexIn(stretch, offset));
    },
    rowAfter(row) {
      const stretch = stretches.at(row.start);
      const index = indexIn(stretch, row.start) + 1;
      if (index < stretch.rows.length) return lineOf(stretch, index);
      return stretch.to >= text.length ? null : lineOf(stretches.at(stretch.to), 0);
    },
    rowBefore(row) {
      const stretch = stretches.at(row.start);
      const index = indexIn(stretch, row.start) - 1;
      if (index >= 0) return lineOf(stretch, index);
      if (stretch.from === 0) return null;
      const above = stretches.at(stretch.from - 1);
      return lineOf(above, above.rows.length - 1);
    },
    columnOf: (row, offset) => columnIn(text, row, offset, columns),
    offsetIn: (row, column) => offsetIn(text, row, column, columns),
    rowCount(limit) {
      let count = 0;
      for (let at = 0; count < limit; ) {
        const { to, rows } = stretches.at(at);
        count += rows.length;
        if (to >= text.length) break;
        at = to;
      }
      return Math.min(count, limit);
    },
  };
}

const nothing: Piece = { start: 0, end: 0, text: '' as SafeText, isSoft: false };

/** The last row that begins at or before an offset of the text. */
function indexIn({ from, rows }: Stretch, offset: number): number {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((rows[middle]?.start ?? 0) <= offset - from) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Lines that were laid out at `cachedColumns`, so that a typed character lays out only the line it is in. */
const pieces = new Map<string, readonly Piece[]>();
const cacheLimit = 2000;
let cachedColumns = 0;

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
  const walk = walkOnce(line);
  const rows: Piece[] = [];
  let start = 0;
  let isFull = false;
  do {
    let { end } = rowFit(line, start, columns, measure, walk);
    let text = line.slice(start, end) as SafeText;
    let used = isClean ? width(text) : 0;
    if (!isClean) ({ end, text, used } = drawnRow(line, start, end, columns, walk));
    isFull = used >= columns;
    rows.push({ start, end, text: used > columns ? ('…' as SafeText) : text, isSoft: isFull || end < line.length });
    start = end;
  } while (start < line.length);
  if (isFull) rows.push({ start, end: start, text: '' as SafeText, isSoft: false });
  return rows;
}

interface DrawnRow {
  readonly end: number;
  readonly text: SafeText;
  readonly used: number;
}

/**
 * Draws a row. Characters that take no cell and follow a full row begin the next one, because the cursor before them
 * would otherwise have two cells.
 */
function drawnRow(line: string, start: number, end: number, columns: number, walk: Walk): DrawnRow {
  let text = '';
  let used = 0;
  let at = start;
  walk(line, start, (from, to) => {
    if (from >= end) return false;
    const drawn = drawnAt(line, from, to, columns, used);
    if (drawn.cells === 0 && used >= columns) return false;
    text += drawn.text;
    used += drawn.cells;
    at = to;
    return true;
  });
  return { end: at, text: text as SafeText, used };
}

interface DrawnCluster {
  readonly text: SafeText;
  readonly cells: number;
}

const drawnClusters = new Map<string, DrawnCluster>();
const ellipsis: DrawnCluster = { text: '…' as SafeText, cells: 1 };

const tab = 0x09;

/** What is drawn for one cluster at a column: a tab goes to the next tab stop. */
function drawnAt(text: string, start: number, end: number, columns: number, column: number): DrawnCluster {
  if (text.charCodeAt(start) !== tab || end !== start + 1) return drawnOf(text.slice(start, end), columns);
  const cells = Math.min(columns, tabColumns(Math.min(column, columns - 1)));
  return { text: ' '.repeat(cells) as SafeText, cells };
}

/** What is drawn for one cluster: `…` where it would be wider than a row. */
function drawnOf(cluster: string, columns: number): DrawnCluster {
  let drawn = drawnClusters.get(cluster);
  if (drawn === undefined) {
    if (drawnClusters.size >= cacheLimit) drawnClusters.clear();
    const text = sanitizeLine(cluster);
    drawn = { text, cells: width(text) };
    drawnClusters.set(cluster, drawn);
  }
  return drawn.cells > columns ? ellipsis : drawn;
}

const drawnWidth =
  (columns: number): Measure =>
  (text, start, end, _, column) =>
    drawnAt(text, start, end, columns, column).cells;

function eachCell(
  text: string,
  row: EditableLine,
  columns: number,
  visit: (start: number, end: number, columns: number) => boolean,
): void {
  const raw = text.slice(row.start, row.end);
  // A row that is drawn without a change can be measured without being drawn.
  const measure = raw === row.text ? clusterWidth : drawnWidth(columns);
  let column = 0;
  eachCluster(raw, 0, (start, end, codePoint) => {
    const cells = Math.min(columns, measure(raw, start, end, codePoint, column));
    column += cells;
    return visit(row.start + start, row.start + end, cells);
  });
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
