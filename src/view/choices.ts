/** Draws rows to choose from, as many as fit. A sign and inverse video mark the selected one. */
import { cutRow, type Row, span } from '../text/layout/row.ts';
import { cutLines, wrap } from '../text/layout/wrap.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import { padEnd, truncate } from '../text/unicode/width.ts';
import { type Look, selectedStyle } from './frame.ts';
import type { Rect } from './layout.ts';

/** A choice is a plain text, or a ready row as wide as the inside of the dialog without the mark. */
export type Choice = {
  readonly id: string;
  /** The heading above the row, which begins a group. */
  readonly heading?: SafeText;
} & (
  | { readonly text: SafeText }
  /** A function makes the row when it is drawn, as most rows of a long list are not. */
  | { readonly row: Row | (() => Row) }
);

/** Rows to choose from as they are on the screen. */
export interface DrawnChoices {
  /** The rectangle of the rows without the frame; each row is one cell high. */
  readonly rect: Rect;
  /** The ids of the visible rows, from the first one on; '' for the heading of a group. */
  readonly ids: readonly string[];
  /** Which of the rows are in sight: `4–6 of 21`; absent where all are. */
  readonly place?: SafeText;
}

export interface Choices {
  readonly rows: readonly Choice[];
  readonly selected: number;
  /** The text in the place of the rows where there are none. */
  readonly empty: SafeText;
}

/** The columns of the mark before each row. */
export const markColumns = 2;

/** @param rect the cells of the screen for the rows */
export function drawChoices(
  { rows, selected, empty }: Choices,
  rect: Rect,
  look: Pick<Look, 'theme' | 'signs'>,
): { readonly rows: readonly Row[]; readonly choices: DrawnChoices } {
  const { width, height } = rect;
  if (rows.length === 0) {
    const lines = cutLines(wrap(empty, width), width, height, look.signs.ellipsis);
    return {
      rows: lines.map((line) => [span(line, look.theme.muted)]),
      choices: { rect: { ...rect, height: 0 }, ids: [] },
    };
  }
  const shown = linesInSight(rows, selected, height);
  return {
    rows: shown.map((line) => drawLine(line, line.index === selected, width, look)),
    choices: {
      rect: { ...rect, height: shown.length },
      ids: shown.map(({ choice, index }) => (index === null ? '' : choice.id)),
      ...placeOf(shown, rows.length),
    },
  };
}

function placeOf(shown: readonly Line[], count: number): Pick<DrawnChoices, 'place'> {
  const indexes = shown.flatMap(({ index }) => (index === null ? [] : [index]));
  const [first] = indexes;
  return first === undefined || indexes.length === count ? {} : { place: placeText(first, indexes.length, count) };
}

/** Which rows are in sight: `4–6 of 21`, or `4 of 21`. */
const placeText = (first: number, shown: number, count: number): SafeText =>
  shown === 1 ? safe`${first + 1} of ${count}` : safe`${first + 1}–${first + shown} of ${count}`;

interface Line {
  readonly choice: Choice;
  /** The position of the row among the choices; null for a heading. */
  readonly index: number | null;
}

function linesInSight(rows: readonly Choice[], selected: number, height: number): readonly Line[] {
  const hasHeading = (choice: Choice): number => Number(choice.heading !== undefined);
  let total = rows.length;
  let at = selected;
  for (const [index, choice] of rows.entries()) {
    total += hasHeading(choice);
    if (index <= selected) at += hasHeading(choice);
  }
  const first = Math.max(0, Math.min(at - Math.floor(height / 2), total - height));
  const lines: Line[] = [];
  let line = 0;
  for (let index = 0; index < rows.length && lines.length < height; index++) {
    const choice = rows[index] as Choice;
    if (choice.heading !== undefined && line++ >= first) lines.push({ choice, index: null });
    if (line++ >= first && lines.length < height) lines.push({ choice, index });
  }
  return lines;
}

function drawLine(
  { choice, index }: Line,
  isSelected: boolean,
  width: number,
  look: Pick<Look, 'theme' | 'signs'>,
): Row {
  const { theme, signs } = look;
  if (index === null) return [span(truncate(choice.heading ?? literal(''), width, signs.ellipsis), theme.strong)];
  const mark = isSelected ? literal('> ') : literal('  ');
  if ('text' in choice) {
    const text = truncate(safe`${mark}${choice.text}`, width, signs.ellipsis);
    return [isSelected ? span(padEnd(text, width), theme.selected) : span(text, theme.plain)];
  }
  const made = typeof choice.row === 'function' ? choice.row() : choice.row;
  const row = [span(mark), ...cutRow(made, 0, width - markColumns)];
  return isSelected ? row.map(({ text, style }) => span(text, selectedStyle(style, look))) : row;
}
