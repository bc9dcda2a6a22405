/**
 * Keeps what the overlays have drawn, for clicks: dialogs, rows to choose from, and areas such as the hints of the keys
 * line. Whatever draws them reports them, and the mouse asks for those at a cell. The state may have others by then.
 */
import type { Target } from '../text/layout/row.ts';
import type { DrawnRows } from '../view/choices.ts';
import type { ClickArea } from '../view/keys-line.ts';
import type { Rect } from '../view/layout.ts';

/** The functions that show something return one that removes it; until then `current` is what was drawn last. */
export interface DrawnOverlays {
  show(rows: { readonly current: DrawnRows }): () => void;
  /** The id of the row at a cell; null where there is none. */
  at(x: number, y: number): string | null;
  showAreas(areas: { readonly current: readonly ClickArea[] }): () => void;
  /** The target of the latest area that covers the cell; null where there is none. */
  targetAt(x: number, y: number): Target | null;
  showDialog(rect: Rect): () => void;
  /** The rectangles of the dialogs, the top one last. */
  readonly dialogs: readonly Rect[];
}

export function createDrawnOverlays(): DrawnOverlays {
  const rows: { readonly current: DrawnRows }[] = [];
  const areas: { readonly current: readonly ClickArea[] }[] = [];
  const dialogs: Rect[] = [];
  return {
    show: (shown) => keep(rows, shown),
    at(x, y) {
      const top = rows.at(-1)?.current;
      return top !== undefined && contains(top.rect, x, y) ? (top.ids[y - top.rect.y] ?? null) : null;
    },
    showAreas: (shown) => keep(areas, shown),
    targetAt(x, y) {
      for (const { current } of areas.toReversed()) {
        const found = current.find(({ rect }) => contains(rect, x, y));
        if (found !== undefined) return found.target;
      }
      return null;
    },
    showDialog: (rect) => keep(dialogs, rect),
    dialogs,
  };
}

function keep<Shown>(stack: Shown[], shown: Shown): () => void {
  stack.push(shown);
  return () => void stack.splice(stack.indexOf(shown), 1);
}

export const contains = (rect: Rect, x: number, y: number): boolean =>
  x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height;
