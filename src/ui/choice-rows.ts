/**
 * The rows of the top picker as they were drawn: the widget that draws them reports them, the mouse asks what was seen at
 * a place. The state may have others by then.
 */
import type { Rect } from '../view/layout.ts';

export interface DrawnRows {
  /** The rectangle of the rows without the frame; each row is one cell high. */
  readonly rect: Rect;
  /** Of the rows that are visible, from the first one on; '' for the heading of a group. */
  readonly ids: readonly string[];
}

export interface ChoiceRows {
  /** @returns a function that removes them; until then `current` is what was drawn last */
  show(rows: { readonly current: DrawnRows }): () => void;
  /** The id of the row at a cell; null where there is none. */
  at(x: number, y: number): string | null;
}

export function createChoiceRows(): ChoiceRows {
  const stack: { readonly current: DrawnRows }[] = [];
  return {
    show(rows) {
      stack.push(rows);
      return () => void stack.splice(stack.indexOf(rows), 1);
    },
    at(x, y) {
      const top = stack.at(-1)?.current;
      if (top === undefined) return null;
      const { rect, ids } = top;
      const isIn = x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height;
      return isIn ? (ids[y - rect.y] ?? null) : null;
    },
  };
}
