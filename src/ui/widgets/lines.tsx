/** Draws ready rows in Ink, and the keys that answer the overlay on top. */
import { Transform } from 'ink';
import { memo, useContext } from 'react';
import { type Row, rowToAnsi } from '../../text/layout/row.ts';
import { drawKeysLine } from '../../view/keys-line.ts';
import { useApp, useUi } from '../store-context.ts';
import { DialogRoom, useClickAreas } from './click-areas.tsx';
import { BlankLines } from './text.tsx';

interface LinesProps {
  readonly rows: readonly Row[];
  readonly height: number;
}

/** All rows are one host node: Ink measures a constant text, and each line is replaced by ready ANSI. */
export const Lines = memo(function Lines({ rows, height }: LinesProps) {
  return (
    <Transform transform={(_, line) => rowToAnsi(rows[line] ?? [])}>
      <BlankLines count={height} />
    </Transform>
  );
});

/** Draws the keys that answer the overlay on top, as the last row of a dialog of Ink. */
export function KeysLine() {
  const { hintsOf, panes } = useUi();
  const hints = useApp(hintsOf);
  const { row, areas } = drawKeysLine(hints, useContext(DialogRoom), panes().look);
  useClickAreas(areas);
  return <Lines rows={[row]} height={1} />;
}
