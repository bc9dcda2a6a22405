/** Lays rectangles of rows over each other in their z-order, and composes the rows of the screen from them. */
import type { Row, Span } from '../text/layout/row.ts';
import { blank, cutRow, emptyRow, rowWidth } from '../text/layout/row.ts';

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Layer {
  /** Sets the rows from the top of the rectangle; missing ones are blank. The same row object counts as unchanged. */
  setRows(rows: readonly Row[]): void;
  setRect(rect: Rect): void;
  /** A higher layer covers a lower one; of two equal ones the later covers the earlier. */
  setZ(z: number): void;
  remove(): void;
}

/** A rectangle of Ink's frame, the lowest layer, that is shown above all layers below `z`. */
export type Lifted = Omit<Layer, 'setRows'>;

interface Plane {
  rect: Rect;
  z: number;
  /** Null for a lifted rectangle, which shows the base. */
  rows: readonly Row[] | null;
  /** The visible part of each row at the last composing; it changes less often than what covers the layer. */
  readonly cuts: (Cut | undefined)[];
}

interface Cut {
  readonly row: Row;
  /** The columns of `row` that `part` shows: from `left` up to, not including, `right`. */
  readonly left: number;
  readonly right: number;
  readonly part: Row;
}

interface Segment {
  readonly from: number;
  readonly to: number;
  readonly plane: Plane;
}

export class LayerStack {
  readonly #onDirty: (from: number, to: number) => void;
  #base: readonly Row[] = [];
  #planes: Plane[] = [];

  /** @param onDirty is called with the rows (`from` up to, not including, `to`) that may look different now */
  constructor(onDirty: (from: number, to: number) => void) {
    this.#onDirty = onDirty;
  }

  add(rect: Rect, z: number): Layer {
    const plane: Plane = { rect, z, rows: [], cuts: [] };
    return {
      ...this.#start(plane),
      setRows: (rows) => {
        const before = plane.rows ?? [];
        if (rows === before) return;
        plane.rows = rows;
        this.#compareRows(before, rows, plane.rect.y, plane.rect.height);
      },
    };
  }

  lift(rect: Rect, z: number): Lifted {
    return this.#start({ rect, z, rows: null, cuts: [] });
  }

  /** Sets the rows of the whole screen that are below all layers. */
  setBase(rows: readonly Row[]): void {
    const before = this.#base;
    this.#base = rows;
    this.#compareRows(before, rows, 0, Math.max(before.length, rows.length));
  }

  /** @returns what the row of the screen looks like, at most `columns` wide */
  compose(y: number, columns: number): Row {
    let segments: readonly Segment[] = [];
    for (const plane of this.#planes) {
      const { rect } = plane;
      if (y < rect.y || y >= rect.y + rect.height) continue;
      const from = Math.max(0, rect.x);
      const to = Math.min(columns, rect.x + rect.width);
      if (from < to) segments = cover(segments, { from, to, plane });
    }
    return join(segments, this.#base[y] ?? emptyRow, y, columns);
  }

  #start(plane: Plane): Lifted {
    this.#insert(plane);
    this.#mark(plane.rect);
    return {
      setRect: (rect) => {
        const old = plane.rect;
        if (old.x === rect.x && old.y === rect.y && old.width === rect.width && old.height === rect.height) return;
        plane.rect = rect;
        this.#mark(old);
        this.#mark(rect);
      },
      setZ: (z) => {
        if (z === plane.z) return;
        plane.z = z;
        this.#remove(plane);
        this.#insert(plane);
      },
      remove: () => this.#remove(plane),
    };
  }

  #insert(plane: Plane): void {
    const above = this.#planes.findIndex((other) => other.z > plane.z);
    this.#planes = this.#planes.toSpliced(above < 0 ? this.#planes.length : above, 0, plane);
  }

  #remove(plane: Plane): void {
    this.#planes = this.#planes.filter((other) => other !== plane);
    this.#mark(plane.rect);
  }

  #mark({ y, height }: Rect): void {
    this.#onDirty(y, y + height);
  }

  #compareRows(before: readonly Row[], after: readonly Row[], top: number, height: number): void {
    for (let i = 0; i < height; i++) if (before[i] !== after[i]) this.#onDirty(top + i, top + i + 1);
  }
}

/** Lays a segment over others, which are in order from left to right and do not overlap. */
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

/** Puts the segments side by side, with the base in the gaps between them. */
function join(segments: readonly Segment[], base: Row, y: number, columns: number): Row {
  if (segments.length === 0) return cutTo(base, 0, columns);
  const out: Span[] = [];
  let column = 0;
  const append = (part: Row, at: number): void => {
    if (part.length === 0) return;
    if (at > column) out.push(blank(at - column));
    for (const item of part) out.push(item);
    column = Math.max(column, at) + rowWidth(part);
  };
  let covered = 0;
  for (const { from, to, plane } of segments) {
    if (from > covered) append(cutTo(base, covered, from), covered);
    append(plane.rows === null ? cutTo(base, from, to) : partOf(plane, plane.rows, y, from, to), from);
    covered = to;
  }
  if (covered < columns) append(cutTo(base, covered, columns), covered);
  return out;
}

function partOf({ rect, cuts }: Plane, rows: readonly Row[], y: number, from: number, to: number): Row {
  const at = y - rect.y;
  const row = rows[at] ?? emptyRow;
  const left = from - rect.x;
  const right = to - rect.x;
  const cut = cuts[at];
  if (cut !== undefined && cut.row === row && cut.left === left && cut.right === right) return cut.part;
  const part = cutTo(row, left, right);
  if (part !== row) cuts[at] = { row, left, right, part };
  return part;
}

function cutTo(row: Row, from: number, to: number): Row {
  return from <= 0 && rowWidth(row) <= to ? row : cutRow(row, from, to);
}
