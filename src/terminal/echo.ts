/** Characters of one column that stand on the terminal before the layers know of them: side by side in one row. */
import type { Row, Span } from '../text/layout/row.ts';
import { overlay } from '../text/layout/row.ts';
import type { Cell } from './pen.ts';

export interface Echo {
  /** The row they stand in; null while there are none. */
  readonly y: number | null;
  /** Where the next one stands; null while there are none. */
  readonly end: Cell | null;
  /** False, and nothing is remembered, where the cell does not join on. */
  append(character: Span, at: Cell): boolean;
  /** The row of the terminal, of which `row` was known before them. */
  over(row: Row, y: number): Row;
  forget(): void;
}

export function createEcho(): Echo {
  let from = 0;
  let end: Cell | null = null;
  let spans: Span[] = [];
  return {
    get y() {
      return end === null ? null : end.y;
    },
    get end() {
      return end;
    },
    append(character, { x, y }) {
      if (end !== null && (end.x !== x || end.y !== y)) return false;
      if (end === null) from = x;
      spans.push(character);
      end = { x: x + 1, y };
      return true;
    },
    over: (row, y) => (end?.y === y ? overlay(row, from, spans) : row),
    forget() {
      end = null;
      spans = [];
    },
  };
}
