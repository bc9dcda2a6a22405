/** Rectangles of rows with a z-order, and the screen rows that they make together. */
import type { Row, Span } from '../text/layout/row.ts';
import { blank, cutRow, emptyRow, rowWidth } from '../text/layout/row.ts';

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Layer {
  /** Rows from the top of the rectangle; rows that are missing are blank. A row object that is the same is not looked at. */
  setRows(rows: readonly Row[]): void;
  setRect(rect: Rect): void;
  /** Higher lies above lower; of equals the later one lies above. */
  setZ(z: number): void;
  remove(): void;
}

/** A rectangle of the lowest layer (Ink's frame) that is shown above all layers below `z`. */
export type Lifted = Omit<Layer, 'setRows'>;

interface Plane {
  rect: Rect;
  z: number;
  /** null for a lifted rectangle, which shows the base. */
  rows: readonly Row[] | null;
}

interface Segment {
  readonly from: number;
  readonly to: number;
  readonly plane: Plane;
}

export interface LayerStack {
  add(rect: Rect, z: number): Layer;
  lift(rect: Rect, z: number): Lifted;
  /** The full-screen picture below everything. */
  setBase(rows: readonly Row[]): void;
  /** What the row of the screen looks like, at most `columns` wide. */
  compose(y: number, columns: number): Row;
}

/** @param onDirty called with the rows (`from` up to, not including, `to`) that may look different now */
export function createLayerStack(onDirty: (from: number, to: number) => void): LayerStack {
  let base: readonly Row[] = [];
  let planes: Plane[] = [];

  const dirtyRect = (rect: Rect): void => onDirty(rect.y, rect.y + rect.height);
  const dirtyRows = (before: readonly Row[], after: readonly Row[], top: number, height: number): void => {
    for (let i = 0; i < height; i++) if (before[i] !== after[i]) onDirty(top + i, top + i + 1);
  };
  const insert = (plane: Plane): void => {
    const above = planes.findIndex((other) => other.z > plane.z);
    planes = above < 0 ? [...planes, plane] : planes.toSpliced(above, 0, plane);
  };

  const handle = (plane: Plane): Lifted => ({
    setRect(rect) {
      const old = plane.rect;
      if (old.x === rect.x && old.y === rect.y && old.width === rect.width && old.height === rect.height) return;
      plane.rect = rect;
      dirtyRect(old);
      dirtyRect(rect);
    },
    setZ(z) {
      if (z === plane.z) return;
      plane.z = z;
      planes = planes.filter((other) => other !== plane);
      insert(plane);
      dirtyRect(plane.rect);
    },
    remove() {
      planes = planes.filter((other) => other !== plane);
      dirtyRect(plane.rect);
    },
  });

  const start = (plane: Plane): Lifted => {
    insert(plane);
    dirtyRect(plane.rect);
    return handle(plane);
  };

  return {
    add(rect, z) {
      const plane: Plane = { rect, z, rows: [] };
      return {
        ...start(plane),
        setRows(rows) {
          const before = plane.rows ?? [];
          if (rows === before) return;
          plane.rows = rows;
          dirtyRows(before, rows, plane.rect.y, plane.rect.height);
        },
      };
    },
    lift: (rect, z) => start({ rect, z, rows: null }),
    setBase(rows) {
      const before = base;
      base = rows;
      dirtyRows(before, rows, 0, Math.max(before.length, rows.length));
    },
    compose(y, columns) {
      let segments: readonly Segment[] = [];
      for (const plane of planes) {
        const { rect } = plane;
        if (y < rect.y || y >= rect.y + rect.height) continue;
        const from = Math.max(0, rect.x);
        const to = Math.min(columns, rect.x + rect.width);
        if (from < to) segments = cover(segments, { from, to, plane });
      }
      return join(segments, base[y] ?? emptyRow, y, columns);
    },
  };
}

/** Lays a segment over others, which lie from left to right without overlap. */
function cover(segments: readonly Segment[], top: Segment): readonly Segment[] {
  const out: Segment[] = [];
  let isPlaced = false;
  const place = (): void => {
    if (!isPlaced) out.push(top);
    isPlaced = true;
  };
  for (const { from, to, plane } of segments) {
    if (from < top.from) out.push({ from, to: Math.min(to, top.from), plane });
    if (from >= top.from) place();
    if (to > top.to) {
      place();
      out.push({ from: Math.max(from, top.to), to, plane });
    }
  }
  place();
  return out;
}

/** Puts the segments side by side, the base in the gaps between them. */
function join(segments: readonly Segment[], base: Row, y: number, columns: number): Row {
  if (segments.length === 0) return cutTo(base, 0, columns);
  const out: Span[] = [];
  let column = 0;
  const append = (row: Row, from: number, to: number, at: number): void => {
    if (at > column) out.push(blank(at - column));
    const part = cutTo(row, from, to);
    for (const item of part) out.push(item);
    column = Math.max(column, at) + rowWidth(part);
  };
  let covered = 0;
  for (const { from, to, plane } of segments) {
    if (from > covered) appendIf(base, covered, from);
    const row = plane.rows === null ? base : (plane.rows[y - plane.rect.y] ?? emptyRow);
    const left = plane.rows === null ? 0 : plane.rect.x;
    if (row.length > 0) append(row, from - left, to - left, from);
    covered = to;
  }
  if (covered < columns) appendIf(base, covered, columns);
  return out;

  function appendIf(row: Row, from: number, to: number): void {
    if (row.length > 0) append(row, from, to, from);
  }
}

function cutTo(row: Row, from: number, to: number): Row {
  return from <= 0 && rowWidth(row) <= to ? row : cutRow(row, from, to);
}
