/** Writes lines in aligned columns for people. */
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { padEnd, truncate, width } from '../../text/unicode/width.ts';
import type { Output } from './print.ts';

export interface Column {
  readonly heading: SafeText;
  /** Numbers are aligned to the right. */
  readonly align?: 'right';
  /** The least width to which the column is shortened where lines are wider than the terminal; absent: it is not. */
  readonly least?: number;
}

/** The cells between two columns. */
const gap = 2;

/** Where nothing is shortened, one long text does not make every other line as long as itself. */
const mostPadding = 40;

/**
 * @param columns the width of the terminal; null where the output is no terminal: nothing is shortened then, and there
 * are no headings
 */
export function tableText(
  table: readonly Column[],
  rows: readonly (readonly SafeText[])[],
  columns: number | null,
): string {
  if (rows.length === 0) return '';
  const shown = columns === null ? rows : [table.map(({ heading }) => heading), ...rows];
  const natural = table.map((_, at) => Math.max(...shown.map((row) => width(row[at] ?? ''))));
  const widths = columns === null ? natural : shrunk(table, natural, columns);
  return shown.map((row) => `${line(table, row, widths, columns)}\n`).join('');
}

/** Prints the table. On a terminal, a line on stderr says that a list has no rows, so that it is not taken for a failure. */
export function printTable(
  output: Output,
  table: readonly Column[],
  rows: readonly (readonly SafeText[])[],
  nothing: SafeText,
): void {
  output.text(tableText(table, rows, output.columns));
  if (rows.length === 0 && output.columns !== null) output.remark(nothing);
}

function line(
  table: readonly Column[],
  row: readonly SafeText[],
  widths: readonly number[],
  columns: number | null,
): string {
  let text = literal('');
  for (const [at, { align }] of table.entries()) {
    const most = widths[at] ?? 0;
    const cell = truncate(row[at] ?? literal(''), most);
    const padding = columns === null ? Math.min(most, mostPadding) : most;
    const space = padEnd(literal(''), Math.max(0, padding - width(cell)));
    const padded = align === 'right' ? safe`${space}${cell}` : safe`${cell}${space}`;
    text = at === 0 ? padded : safe`${text}  ${padded}`;
  }
  return (columns === null ? text : truncate(text, columns)).trimEnd();
}

/** Shortens the widest column that may be shortened by one cell, until the table fits. */
function shrunk(table: readonly Column[], natural: readonly number[], columns: number): readonly number[] {
  const widths = [...natural];
  const total = (): number => widths.reduce((sum, one) => sum + one, gap * (widths.length - 1));
  for (let surplus = total() - columns; surplus > 0; surplus--) {
    let widest = -1;
    for (const [at, { least }] of table.entries()) {
      const own = widths[at] ?? 0;
      if (least !== undefined && own > least && own > (widths[widest] ?? 0)) widest = at;
    }
    if (widest < 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}
