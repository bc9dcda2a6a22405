/** Where on the screen the rows of the picker on top are: told by the widget that draws them, asked by the mouse. */
import type { Rect } from '../view/layout.ts';

interface ShownRows {
  /** Of the rows alone, one cell high each. */
  readonly rect: Rect;
  /** Which of all the first one in sight is. */
  readonly first: number;
}

export interface ChoiceRows {
  /** @returns takes them away */
  show(rows: ShownRows): () => void;
  /** The row there, counted from the first of all; null: none. */
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
