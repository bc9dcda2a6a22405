/** Draws a painted overlay as Ink text, for the case that there is no `Screen` to paint it on. */
import { Box } from 'ink';
import { useContext, useLayoutEffect, useRef } from 'react';
import { useApp, useUi } from '../store-context.ts';
import { OverlayPlace, useClickAreas } from '../widgets/click-areas.tsx';
import { Lines } from '../widgets/lines.tsx';
import { drawOverlay, type PaintedOverlay } from './painted.ts';

interface PaintedTextProps {
  readonly overlay: PaintedOverlay;
  readonly isTop: boolean;
}

export function PaintedText({ overlay, isTop }: PaintedTextProps) {
  const { context, panes, hintsOf, drawnOverlays } = useUi();
  const place = useContext(OverlayPlace);
  const state = useApp((one) => one);
  const drawn = drawOverlay(overlay, isTop, state, {
    look: panes().look,
    now: context.now(),
    hints: hintsOf(state),
  });
  const { x, y, width, height } = drawn.rect;
  const choices = useRef(drawn.choices);
  useLayoutEffect(
    () => drawnOverlays.showDialog({ x, y, width, height }, place),
    [drawnOverlays, x, y, width, height, place],
  );
  useLayoutEffect(() => drawnOverlays.show(choices, place), [drawnOverlays, place]);
  useLayoutEffect(() => {
    choices.current = drawn.choices;
  });
  useClickAreas(drawn.areas);
  return (
    <Box position="absolute" marginLeft={x} marginTop={y} width={width} height={height}>
      <Lines rows={drawn.rows} height={height} />
    </Box>
  );
}
