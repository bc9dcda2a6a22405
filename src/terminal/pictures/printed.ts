/**
 * Prints pictures over the cells reserved for them. The terminal does not hold these pictures: it knows only cells that
 * show a part of one. A picture is therefore printed where all of its cells are in sight and have not moved for a
 * moment, and its cells are drawn anew when that is no longer so. Also has the timer that the screen uses.
 */
import type { PrintedPicture, Row } from '../../text/layout/row.ts';
import type { Pen } from '../pen.ts';

/** One row of a picture, with all of its columns, at a column of the screen. */
interface PictureRow {
  readonly picture: PrintedPicture;
  readonly row: number;
  readonly x: number;
}

interface Placement {
  readonly picture: PrintedPicture;
  readonly x: number;
  readonly y: number;
  /** Whether the picture has not moved for long enough. */
  isSettled: boolean;
  isPrinted: boolean;
}

/** The time for which a picture must not move before it is printed: it would be sent again for every row of a scroll. */
const settleMs = 150;

/** Calls back after the delay; the function that it returns cancels that. */
export type Later = (delayMs: number, callback: () => void) => () => void;

/** Does not keep the program running. */
export const later: Later = (delayMs, callback) => {
  const timer = setTimeout(callback, delayMs).unref();
  return () => clearTimeout(timer);
};

export class PrintedPictures {
  readonly #onSettled: () => void;
  readonly #later: Later;
  /** The rows of pictures on each row of the screen. */
  readonly #rows = new Map<number, readonly PictureRow[]>();
  #placements: readonly Placement[] = [];
  #cancel: (() => void) | null = null;

  /** @param onSettled is called when `print` has something to do */
  constructor(onSettled: () => void, schedule: Later = later) {
    this.#onSettled = onSettled;
    this.#later = schedule;
  }

  /** Takes in what a row of the screen is going to show. */
  note(y: number, row: Row): void {
    const found = pictureRowsIn(row);
    if (found.length > 0) this.#rows.set(y, found);
    else if (this.#rows.size > 0) this.#rows.delete(y);
  }

  /**
   * Call when all changed rows are noted. A picture that reaches the last row is left out: a terminal may scroll after it.
   * @returns the rows from which a printed picture has gone: what the terminal shows there is unknown
   */
  place(screenRows: number): readonly number[] {
    if (this.#rows.size === 0 && this.#placements.length === 0) return [];
    const before = this.#placements;
    const found = this.#wholePictures(screenRows);
    this.#placements = found.map((one) => before.find((old) => isSamePlace(old, one)) ?? one);
    if (this.#placements.some(({ isSettled }) => !isSettled)) this.#awaitRest(before);
    return before
      .filter((old) => old.isPrinted && !this.#placements.includes(old))
      .flatMap(({ picture, y }) => Array.from({ length: picture.rows }, (_, i) => y + i));
  }

  /** Call when columns of a row were drawn. */
  drawnOver(y: number, from: number, to: number): void {
    for (const one of this.#placements) {
      const { picture, x } = one;
      if (y >= one.y && y < one.y + picture.rows && from < x + picture.columns && to > x) one.isPrinted = false;
    }
  }

  /** Prints the pictures that are not on the terminal, each on blank cells. */
  print(pen: Pen): void {
    for (const one of this.#placements) {
      if (!one.isSettled || one.isPrinted) continue;
      one.isPrinted = true;
      const { picture, x, y } = one;
      for (let i = 0; i < picture.rows; i++) {
        pen.moveTo(x, y + i);
        pen.blank(picture.columns, false);
      }
      pen.moveTo(x, y);
      pen.print(picture.sequence);
    }
  }

  /** Call when what is on the terminal is unknown, before its rows are noted again. */
  forget(): void {
    this.#rows.clear();
    this.#placements = [];
  }

  #wholePictures(screenRows: number): readonly Placement[] {
    const found: Placement[] = [];
    for (const [y, rows] of this.#rows)
      for (const { picture, row, x } of rows)
        if (row === 0 && y + picture.rows < screenRows && this.#isWhole(picture, x, y))
          found.push({ picture, x, y, isSettled: false, isPrinted: false });
    return found;
  }

  #isWhole(picture: PrintedPicture, x: number, y: number): boolean {
    for (let i = 1; i < picture.rows; i++)
      if (!this.#rows.get(y + i)?.some((one) => one.picture === picture && one.row === i && one.x === x)) return false;
    return true;
  }

  /** Waits until all pictures have stayed in their places; each move of one begins the time again. */
  #awaitRest(before: readonly Placement[]): void {
    if (this.#cancel !== null && this.#placements.every((one) => before.includes(one))) return;
    this.#cancel?.();
    this.#cancel = this.#later(settleMs, () => {
      this.#cancel = null;
      for (const one of this.#placements) one.isSettled = true;
      this.#onSettled();
    });
  }
}

const isSamePlace = (a: Placement, b: Placement): boolean => a.picture === b.picture && a.x === b.x && a.y === b.y;

/** Finds the pictures in a row. A span that was cut is no part of one, so that a picture that is covered is not found. */
function pictureRowsIn(row: Row): readonly PictureRow[] {
  let found: PictureRow[] | null = null;
  let open: PictureRow | null = null;
  let at = 0;
  for (const { picture: part, width } of row) {
    const start = at;
    at += width;
    if (part === undefined) open = null;
    else if (part.column === 0) open = { picture: part.picture, row: part.row, x: start };
    else if (open?.picture !== part.picture || open.row !== part.row || start - open.x !== part.column) open = null;
    if (open === null || at - open.x !== open.picture.columns) continue;
    found ??= [];
    found.push(open);
    open = null;
  }
  return found ?? [];
}
