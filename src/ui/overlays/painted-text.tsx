/** A painted overlay where there is no `Screen` to paint it on: the same rows as Ink text. */
import { Box } from 'ink';
import { useLayoutEffect, useRef } from 'react';
import { useApp, useUi } from '../store-context.ts';
import { Lines } from '../widgets/lines.tsx';
import { drawOverlay, type PickerOverlay } from './pickers.ts';

interface PaintedTextProps {
  readonly overlay: PickerOverlay;
  readonly isTop: boolean;
}

export function PaintedText({ overlay, isTop }: PaintedTextProps) {
  const { context, panes, choiceRows } = useUi();
  const state = useApp((one) => one);
  const drawn = drawOverlay(overlay, isTop, state, { look: panes().look, now: context.now() });
  const { x, y, width, height } = drawn.rect;
  const choices = useRef(drawn.choices);
  useLayoutEffect(() => choiceRows.showDialog({ x, y, width, height }), [choiceRows, x, y, width, height]);
  useLayoutEffect(() => choiceRows.show(choices), [choiceRows]);
  useLayoutEffect(() => {
    choices.current = drawn.choices;
  });
  return (
    <Box position="absolute" marginLeft={x} marginTop={y} width={width} height={height}>
      <Lines rows={drawn.rows} height={height} />
    </Box>
  );
}
