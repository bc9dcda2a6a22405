/**
 * Keeps what the overlays have drawn: for clicks the dialogs, the rows to choose from, and areas such as the hints of the keys
 * line; for the terminal's cursor the cell of the one in a text field. Whatever draws them reports them, and the mouse asks for
 * those at a cell: only the top overlay has rows and areas for it, also where one below has some at the same cell. The state may
 * have other overlays by then.
 */
import type { Target } from '../text/layout/row.ts';
import type { DrawnChoices } from '../view/choices.ts';
import type { DrawnDialog } from '../view/dialog.ts';
import type { ClickArea } from '../view/keys-line.ts';
import type { Rect } from '../view/layout.ts';

/**
 * The functions that show something return one that removes it; until then `current` is what was drawn last. `place` is that
 * of the overlay in the stack, from 0: at a new size, overlays may report their parts in another order.
 */
export interface DrawnOverlays {
  show(rows: { readonly current: DrawnChoices }, place: number): () => void;
  /** The id of the row at a cell; null where there is none. */
  at(x: number, y: number): string | null;
  showAreas(areas: { readonly current: readonly ClickArea[] }, place: number): () => void;
  /** The target of the latest area that covers the cell; null where there is none. */
  targetAt(x: number, y: number): Target | null;
  showDialog(rect: Rect, place: number): () => void;
  showCursor(cell: DrawnDialog['cursor'], place: number): () => void;
  /** The cell of the cursor in the text field of the top overlay, as Ink has drawn it; null where it has none. */
  readonly cursor: DrawnDialog['cursor'];
  /** The rectangles of the dialogs, the top one last. */
  readonly dialogs: readonly Rect[];
}

interface Placed<Part> {
  readonly part: Part;
  readonly place: number;
}

export function createDrawnOverlays(): DrawnOverlays {
  const rows: Placed<{ readonly current: DrawnChoices }>[] = [];
  const areas: Placed<{ readonly current: readonly ClickArea[] }>[] = [];
  const dialogs: Placed<Rect>[] = [];
  const cursors: Placed<DrawnDialog['cursor']>[] = [];
  const onTop = <Part>(parts: readonly Placed<Part>[]): readonly Part[] => {
    const top = Math.max(...[rows, areas, dialogs].flat().map(({ place }) => place));
    return parts.filter(({ place }) => place === top).map(({ part }) => part);
  };
  return {
    show: (shown, place) => keep(rows, shown, place),
    at(x, y) {
      const top = onTop(rows).at(-1)?.current;
      return top !== undefined && contains(top.rect, x, y) ? (top.ids[y - top.rect.y] ?? null) : null;
    },
    showAreas: (shown, place) => keep(areas, shown, place),
    targetAt(x, y) {
      for (const { current } of onTop(areas).toReversed()) {
        const found = current.find(({ rect }) => contains(rect, x, y));
        if (found !== undefined) return found.target;
      }
      return null;
    },
    showDialog: (rect, place) => keep(dialogs, rect, place),
    showCursor: (cell, place) => keep(cursors, cell, place),
    get cursor() {
      return onTop(cursors).at(-1) ?? null;
    },
    get dialogs() {
      return dialogs.toSorted((a, b) => a.place - b.place).map(({ part }) => part);
    },
  };
}

function keep<Part>(stack: Placed<Part>[], part: Part, place: number): () => void {
  const placed = { part, place };
  stack.push(placed);
  return () => void stack.splice(stack.indexOf(placed), 1);
}

export const contains = (rect: Rect, x: number, y: number): boolean =>
  x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height;
