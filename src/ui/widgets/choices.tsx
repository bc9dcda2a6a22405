/** Rows to choose from, the chosen one marked by a sign and inverse video; only what fits is mounted. */
import { Box, Transform } from 'ink';
import { useLayoutEffect, useRef } from 'react';
import { cutRow, type Row, rowToAnsi, span } from '../../text/layout/row.ts';
import { cutLines, wrap } from '../../text/layout/wrap.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { truncate } from '../../text/unicode/width.ts';
import { mix } from '../../view/theme.ts';
import type { DrawnRows } from '../choice-rows.ts';
import { useUi } from '../store-context.ts';
import { BlankLines, Text } from './text.tsx';

/** In plain text, or ready as a row of the dialog's inner width without the mark. */
export type Choice = { readonly id: string; readonly text: SafeText } | { readonly id: string; readonly row: Row };

/** Before each row. */
export const markColumns = 2;
const inverse = '7';
const noRows: DrawnRows = { rect: { x: 0, y: 0, width: 0, height: 0 }, ids: [] };

export interface ChoicesProps {
  /** The cell of the screen where the first row begins. */
  readonly x: number;
  readonly y: number;
  readonly rows: readonly Choice[];
  readonly selected: number;
  readonly width: number;
  readonly height: number;
  readonly empty: SafeText;
}

export function Choices({ rows, selected, x, y, width, height, empty }: ChoicesProps) {
  const { choiceRows } = useUi();
  const first = Math.max(0, Math.min(selected - Math.floor(height / 2), rows.length - height));
  const count = Math.min(height, rows.length - first);
  const drawn = useRef<DrawnRows>(noRows);
  useLayoutEffect(() => choiceRows.show(drawn), [choiceRows]);
  useLayoutEffect(() => {
    const ids = rows.slice(first, first + count).map(({ id }) => id);
    drawn.current = { rect: { x, y, width, height: count }, ids };
  });
  if (rows.length === 0) return <Empty text={empty} width={width} height={height} />;
  return (
    <Box flexDirection="column">
      {rows.slice(first, first + height).map((row, index) => {
        const isSelected = first + index === selected;
        const mark = isSelected ? literal('> ') : literal('  ');
        return 'row' in row ? (
          <RowChoice key={row.id} row={[span(mark), ...cutRow(row.row, 0, width - markColumns)]} isLit={isSelected} />
        ) : (
          <Text key={row.id} inverse={isSelected} wrap="truncate">
            {truncate(safe`${mark}${row.text}`, width)}
          </Text>
        );
      })}
    </Box>
  );
}

/** The text in the place of the rows. */
function Empty({ text, width, height }: { readonly text: SafeText; readonly width: number; readonly height: number }) {
  const { ellipsis } = useUi().panes().look.signs;
  return (
    <Box flexDirection="column">
      {cutLines(wrap(text, width), width, height, ellipsis).map((line) => (
        <Text key={line} dimColor>
          {line}
        </Text>
      ))}
    </Box>
  );
}

/** Draws a row as one Ink node, whose text is replaced by ANSI. */
function RowChoice({ row, isLit }: { readonly row: Row; readonly isLit: boolean }) {
  const shown = isLit ? row.map(({ text, style }) => span(text, mix(style, inverse))) : row;
  return (
    <Transform transform={() => rowToAnsi(shown)}>
      <BlankLines count={1} />
    </Transform>
  );
}
