/** Rows to choose from in an Ink dialog; they are reported to the mouse. */
import { Box } from 'ink';
import { useLayoutEffect, useRef } from 'react';
import { type Choices as ChoicesOf, drawChoices } from '../../view/choices.ts';
import { useUi } from '../store-context.ts';
import { Lines } from './lines.tsx';

interface ChoicesProps extends ChoicesOf {
  /** The cell of the screen where the first row begins. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function Choices({ x, y, width, height, ...choices }: ChoicesProps) {
  const { choiceRows, panes } = useUi();
  const drawn = drawChoices(choices, { x, y, width, height }, panes().look);
  const shown = useRef(drawn.choices);
  useLayoutEffect(() => choiceRows.show(shown), [choiceRows]);
  useLayoutEffect(() => {
    shown.current = drawn.choices;
  });
  return (
    <Box height={drawn.rows.length} flexShrink={0}>
      <Lines rows={drawn.rows} height={drawn.rows.length} />
    </Box>
  );
}
