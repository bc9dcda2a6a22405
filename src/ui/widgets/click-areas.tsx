/** Reports what a click on parts of a dialog means, and where the room inside of the dialog is. */
import { createContext, useLayoutEffect, useRef } from 'react';
import type { ClickArea } from '../../view/keys-line.ts';
import type { Rect } from '../../view/layout.ts';
import { useUi } from '../store-context.ts';

/** The room below the title of the dialog around a widget, in cells of the screen. */
export const DialogRoom = createContext<Rect>({ x: 0, y: 0, width: 0, height: 0 });

/** @param areas what this frame shows; they replace those of the frame before */
export function useClickAreas(areas: readonly ClickArea[]): void {
  const { choiceRows } = useUi();
  const drawn = useRef(areas);
  useLayoutEffect(() => choiceRows.showAreas(drawn), [choiceRows]);
  useLayoutEffect(() => {
    drawn.current = areas;
  });
}
