/** The screen position of the rows of the top picker: the widget that draws them reports it, the mouse asks for it. */
import type { Rect } from '../view/layout.ts';

interface ShownRows {
  /** The rectangle of the rows without the frame; each row is one cell high. */
  readonly rect: Rect;
  /** The index of the first visible row. */
  readonly first: number;
}

export interface ChoiceRows {
  /** @returns a function that removes them */
  show(rows: ShownRows): () => void;
  /** The index of the row at a cell; null where there is none. */
  at(x: number, y: number): number | null;
}

export function createChoiceRows(): ChoiceRows {
  const stack: ShownRows[] = [];
  return {
    show(rows) {
      stack.push(rows);
      return () => void stack.splice(stack.indexOf(rows), 1);
    },
    at(x, y) {
      const top = stack.at(-1);
      if (top === undefined) return null;
      const { rect, first } = top;
      const isIn = x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height;
      return isIn ? first + y - rect.y : null;
    },
  };
}
