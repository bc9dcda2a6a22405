/** Characters that were written at the cursor before the layers have them: one column each, side by side in one row. */
import type { Row, Span } from '../text/layout/row.ts';
import { overlay } from '../text/layout/row.ts';
import type { Cell } from './pen.ts';

export interface Echo {
  /** The row they stand in; null while there are none. */
  readonly y: number | null;
  /** Where the next one stands; null while there are none. */
  readonly end: Cell | null;
  /** Refuses a cell that does not follow the last character. @returns false when refused */
  append(character: Span, at: Cell): boolean;
  /** @returns `row` with the echoed characters laid over it */
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
