/** Holds the characters that were written at the cursor before the layers have them: one column each, in one row. */
import type { Row, Span } from '../text/layout/row.ts';
import { overlay } from '../text/layout/row.ts';
import type { Cell } from './pen.ts';

export class Echo {
  #from = 0;
  #end: Cell | null = null;
  #spans: Span[] = [];

  /** The cell behind the last character; null while there are none. */
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
