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
export type Choice = {
  readonly id: string;
  /** Above the row, which begins a group. */
  readonly heading?: SafeText;
} & (
  | { readonly text: SafeText }
  /** Made when it is drawn, as most rows of a long list are not. */
  | { readonly row: Row | (() => Row) }
);

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
  const lines = linesOf(rows);
  const at = lines.findIndex((line) => line.index === selected);
  const first = Math.max(0, Math.min(at - Math.floor(height / 2), lines.length - height));
  const shown = lines.slice(first, first + height);
  const drawn = useRef<DrawnRows>(noRows);
  useLayoutEffect(() => choiceRows.show(drawn), [choiceRows]);
  useLayoutEffect(() => {
    const ids = shown.map((line) => (line.index === null ? '' : line.choice.id));
    drawn.current = { rect: { x, y, width, height: shown.length }, ids };
  });
  if (rows.length === 0) return <Empty text={empty} width={width} height={height} />;
  return (
    <Box flexDirection="column">
      {shown.map(({ choice, index }) =>
        index === null ? (
          <Text key={`group of ${choice.id}`} bold wrap="truncate">
            {truncate(choice.heading ?? literal(''), width)}
          </Text>
        ) : (
          <ChoiceRow key={choice.id} choice={choice} isSelected={index === selected} width={width} />
        ),
      )}
    </Box>
  );
}

interface Line {
  readonly choice: Choice;
  /** Null for the heading above it. */
  readonly index: number | null;
}

const linesOf = (rows: readonly Choice[]): readonly Line[] =>
  rows.flatMap((choice, index): readonly Line[] =>
    choice.heading === undefined
      ? [{ choice, index }]
      : [
          { choice, index: null },
          { choice, index },
        ],
  );

interface ChoiceRowProps {
  readonly choice: Choice;
  readonly isSelected: boolean;
  readonly width: number;
}

function ChoiceRow({ choice, isSelected, width }: ChoiceRowProps) {
  const mark = isSelected ? literal('> ') : literal('  ');
  if ('row' in choice) {
    const row = typeof choice.row === 'function' ? choice.row() : choice.row;
    return <RowChoice row={[span(mark), ...cutRow(row, 0, width - markColumns)]} isLit={isSelected} />;
  }
  return (
    <Text inverse={isSelected} wrap="truncate">
      {truncate(safe`${mark}${choice.text}`, width)}
    </Text>
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
