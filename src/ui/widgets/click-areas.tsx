/** Reports the areas of a dialog that can be clicked and the cursor of its field, and tells widgets the rectangle inside of it. */
import { createContext, useContext, useLayoutEffect, useRef } from 'react';
import type { ClickArea } from '../../view/keys-line.ts';
import type { Rect } from '../../view/layout.ts';
import { useUi } from '../store-context.ts';

/** The place of the overlay around a widget in the stack of overlays. */
export const OverlayPlace = createContext(0);

/** The room below the title of the dialog around a widget, in cells of the screen. */
export const DialogRoom = createContext<Rect>({ x: 0, y: 0, width: 0, height: 0 });

/**
 * Leaves the hidden cursor of the terminal in the text field, in the first row of the dialog around it.
 * @param column that of the field's own cursor; null where it has none
 */
export function useFieldCursor(column: number | null): void {
  const { screen, drawnOverlays } = useUi();
  const place = useContext(OverlayPlace);
  const { x, y } = useContext(DialogRoom);
  useLayoutEffect(() => {
    if (column === null) return;
    const cell = { x: x + column, y };
    screen?.setCursor(cell, { isHidden: true });
    return drawnOverlays.showCursor(cell, place);
  }, [screen, drawnOverlays, column, x, y, place]);
}

/** @param areas the areas of this frame, which replace those of the frame before */
export function useClickAreas(areas: readonly ClickArea[]): void {
  const { drawnOverlays } = useUi();
  const place = useContext(OverlayPlace);
  const drawn = useRef(areas);
  useLayoutEffect(() => drawnOverlays.showAreas(drawn, place), [drawnOverlays, place]);
  useLayoutEffect(() => {
    drawn.current = areas;
  });
}
