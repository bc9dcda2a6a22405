/** Draws ready rows in Ink. */
import { Transform } from 'ink';
import { memo } from 'react';
import { type Row, rowToAnsi } from '../../text/layout/row.ts';
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
