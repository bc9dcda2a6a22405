/** Remembers the rows on the terminal and what was echoed at the cursor, and draws what the layers have changed. */
import { cutRow, emptyRow, overlay, type Row, type Span, type Target, targetAt } from '../text/layout/row.ts';
import { LayerStack } from './layer.ts';
import { type Cell, Pen } from './pen.ts';
import { type Later, PrintedPictures } from './pictures/printed.ts';
import { changeBetween, isSpilling, wholeChange } from './row-diff.ts';

/** Holds the characters that were written at the cursor before the layers have them: one column each, in one row. */
class Echo {
  #from = 0;
  #end: Cell | null = null;
  #spans: Span[] = [];

  /** The cell after the last character; null while there are none. */
  get end(): Cell | null {
    return this.#end;
  }

  /** @returns false when the cell does not follow the last character; it is not taken then */
  append(character: Span, { x, y }: Cell): boolean {
    if (this.#end === null) this.#from = x;
    else if (this.#end.x !== x || this.#end.y !== y) return false;
    this.#spans.push(character);
    this.#end = { x: x + 1, y };
    return true;
  }

  /** @returns `row` with the echoed characters laid over it */
  over(row: Row, y: number): Row {
    return this.#end?.y === y ? overlay(row, this.#from, this.#spans) : row;
  }

  forget(): void {
    this.#end = null;
    this.#spans = [];
  }
}

/** Those of `ScreenOptions` that decide how rows are drawn. */
export interface DrawnOptions {
  readonly isUtf8?: boolean;
  readonly hasHyperlinks?: boolean;
  readonly later?: Later;
}

export class DrawnRows {
  readonly layers: LayerStack;
  readonly pen: Pen;
  #columns = 0;
  #rows = 0;
  /** The rows on the terminal; null where that is unknown. */
  #drawn: (Row | null)[] = [];
  #dirty = new Uint8Array();
  #isDirty = true;
  /** Pictures that are printed over the text of their rows. */
  readonly #pictures: PrintedPictures;
  /** Characters that are on the terminal and not yet in `#drawn`. */
  readonly #echoed = new Echo();
  #drawEchoed: (() => void) | null = null;
  readonly #onDirty: () => void;

  /** @param onDirty is called when rows may look different and `paint` has something to do */
  constructor(onDirty: () => void, { isUtf8, hasHyperlinks, later }: DrawnOptions = {}) {
    this.#onDirty = onDirty;
    this.pen = new Pen(() => this.#columns, isUtf8, hasHyperlinks);
    this.#pictures = new PrintedPictures(() => {
      this.#isDirty = true;
      onDirty();
    }, later);
    this.layers = new LayerStack((from, to) => {
      this.#dirty.fill(1, Math.max(0, from), Math.max(0, to));
      this.#isDirty = true;
      onDirty();
    });
  }

  get columns(): number {
    return this.#columns;
  }

  get rows(): number {
    return this.#rows;
  }

  targetAt(x: number, y: number): Target | null {
    return targetAt(this.#drawn[y] ?? emptyRow, x);
  }

  resize(columns: number, rows: number): void {
    this.#columns = columns;
    this.#rows = rows;
    this.forget();
  }

  /** Call when what is on the terminal is unknown. */
  forget(): void {
    this.#drawn = new Array(this.#rows).fill(null);
    this.#dirty = new Uint8Array(this.#rows).fill(1);
    this.#isDirty = true;
    this.pen.forget();
    this.#pictures.forget();
    this.#echoed.forget();
  }

  /** Forgets what the terminal shows, and asks for a frame that paints everything again. */
  repaint(): void {
    this.forget();
    this.#onDirty();
  }

  /** Call when the terminal has just been cleared. */
  clear(): void {
    this.forget();
    this.#drawn.fill(emptyRow);
    this.pen.home();
  }

  /** Draws a character before the layers have it. @returns false when rows wait for `paint` or it has no room */
  echo(character: Span, cell: Cell): boolean {
    const { x, y } = cell;
    if (this.#isDirty || x + 1 >= this.#columns || y >= this.#rows || !this.#echoed.append(character, cell))
      return false;
    this.pen.moveTo(x, y);
    this.pen.draw(character);
    this.#touch(y);
    return true;
  }

  /** @returns the cell after the echoed characters; null where there are none */
  keepEcho(draw: () => void): Cell | null {
    const { end } = this.#echoed;
    if (end === null) return null;
    this.#drawEchoed = draw;
    this.#dirty[end.y] = 0;
    this.#isDirty = false;
    return end;
  }

  /** Draws the rows that differ from the terminal. @returns how many there were */
  paint(): number {
    if (this.#echoed.end !== null) this.#touch(this.#echoed.end.y);
    if (!this.#isDirty) return 0;
    let painted = 0;
    const draw = this.#drawEchoed;
    this.#drawEchoed = null;
    draw?.();
    const composed = this.#composeDirty();
    for (let y = 0; y < this.#rows; y++) {
      if (this.#dirty[y] === 0) continue;
      this.#dirty[y] = 0;
      if (this.#paintRow(y, composed.get(y) ?? this.layers.compose(y, this.#columns))) painted++;
    }
    this.#pictures.print(this.pen);
    this.#isDirty = false;
    return painted;
  }

  /** Draws one row without a picture ahead of the others. @returns how many rows differed from the terminal */
  paintRow(y: number): number {
    const draw = this.#drawEchoed;
    this.#drawEchoed = null;
    draw?.();
    if (this.#dirty[y] !== 1) return 0;
    this.#dirty[y] = 0;
    return this.#paintRow(y, this.layers.compose(y, this.#columns)) ? 1 : 0;
  }

  /** Rows that a printed picture leaves are drawn whole, because the picture has covered the text that was drawn there. */
  #composeDirty(): ReadonlyMap<number, Row> {
    const composed = new Map<number, Row>();
    for (let y = 0; y < this.#rows; y++) {
      if (this.#dirty[y] === 0) continue;
      const row = this.layers.compose(y, this.#columns);
      composed.set(y, row);
      this.#pictures.note(y, row);
    }
    for (const y of this.#pictures.place(this.#rows)) {
      this.#drawn[y] = null;
      this.#dirty[y] = 1;
    }
    return composed;
  }

  /** @returns false when the terminal shows the row already */
  #paintRow(y: number, after: Row): boolean {
    const known = this.#drawn[y];
    const before = known ? this.#echoed.over(known, y) : null;
    const change = before ? changeBetween(before, after) : wholeChange(after, this.#columns);
    this.#drawn[y] = after;
    if (this.#echoed.end?.y === y) this.#echoed.forget();
    if (change === null) return false;
    const { from } = change;
    const changed = change.to > from ? cutRow(after, from, change.to) : emptyRow;
    // A cluster that a terminal draws wider than we count covers what follows it, so the rest of the row is drawn, too.
    const isWhole = isSpilling(changed);
    const { to, clearTo } = isWhole ? wholeChange(after, this.#columns) : change;
    this.pen.moveTo(from, y);
    let x = from;
    for (const item of isWhole ? cutRow(after, from, to) : changed) {
      if (x < this.#columns) this.pen.moveTo(x, y);
      if (!this.pen.skipBlanks(item)) this.pen.draw(item, to - x);
      x += item.width;
    }
    if (clearTo > to && to < this.#columns) this.pen.moveTo(to, y);
    this.pen.blank(clearTo - to, true);
    this.#pictures.drawnOver(y, from, clearTo);
    return true;
  }

  #touch(y: number): void {
    this.#dirty[y] = 1;
    this.#isDirty = true;
  }
}
