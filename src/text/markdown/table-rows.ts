/** Draws a table with columns side by side, or, where these do not fit, as one card a row: `header: value`. */
import { blank, mix, padRow, type Row, rowWidth, span, withBefore } from '../layout/row.ts';
import { literal, type SafeText } from '../safe-text.ts';
import { width } from '../unicode/width.ts';
import type { Alignment, Block, RichText } from './blocks.ts';
import type { Drawing } from './style.ts';
import { textRows } from './text-rows.ts';

type Table = Block & { readonly kind: 'table' };
type Cells = readonly RichText[];

export function tableRows(table: Table, columns: number, drawing: Drawing): readonly Row[] {
  const { head, rows } = table;
  const widths = head.map((cell, i) => Math.max(1, ...[cell, ...rows.map((row) => row[i])].map(cellWidth)));
  const taken = widths.reduce((sum, one) => sum + one + 3, -3);
  return taken <= columns ? grid(table, widths, drawing) : cards(head, rows, columns, drawing);
}

const cellWidth = (cell: RichText | undefined): number => (cell === undefined ? 0 : width(cell.text));

function grid({ head, rows, alignments }: Table, widths: readonly number[], drawing: Drawing): readonly Row[] {
  const { styles, signs } = drawing;
  const bar = [blank(1), span(signs.vertical, styles.line), blank(1)];
  const line = (cells: Cells, isHead: boolean): Row =>
    widths.flatMap((columns, i) => {
      const style = isHead ? mix(styles.plain, styles.bold) : styles.plain;
      const cell = cells[i] === undefined ? [] : (textRows(cells[i], columns, style, drawing)[0] ?? []);
      const written = aligned(i === 0 ? cell : withBefore(cell, literal('\t')), alignments[i] ?? 'left', columns);
      const padded = i < widths.length - 1 ? padRow(written, columns) : written;
      return i === 0 ? padded : [...bar, ...padded];
    });
  const rule = widths
    .map((columns) => signs.horizontal.repeat(columns))
    .join(`${signs.horizontal}${signs.cross}${signs.horizontal}`) as SafeText;
  return [line(head, true), [span(rule, styles.line)], ...rows.map((cells) => line(cells, false))];
}

function aligned(cell: Row, alignment: Alignment, columns: number): Row {
  const room = columns - rowWidth(cell);
  const before = alignment === 'left' ? 0 : alignment === 'right' ? room : Math.floor(room / 2);
  return before === 0 ? cell : [blank(before), ...cell];
}

function cards(head: Cells, body: readonly Cells[], columns: number, drawing: Drawing): readonly Row[] {
  const { styles, signs } = drawing;
  if (body.length === 0) return head.flatMap((cell) => textRows(cell, columns, styles.bold, drawing));
  const rule = [span(signs.horizontal.repeat(Math.min(columns, 12)) as SafeText, styles.line)];
  return body.flatMap((cells, i) => {
    const rows = head.flatMap((name, at) => card(name, cells[at], columns, drawing));
    return i === 0 ? rows : [rule, ...rows];
  });
}

function card(name: RichText, value: RichText | undefined, columns: number, drawing: Drawing): readonly Row[] {
  const { styles } = drawing;
  const bold = mix(styles.plain, styles.bold);
  const label = textRows(name, columns, bold, drawing);
  const last = label.at(-1);
  if (last === undefined) return [];
  const colon = { ...span(literal(':'), bold), before: literal('') };
  const rest =
    value === undefined || value.text === '' ? [] : textRows(value, Math.max(1, columns - 2), styles.plain, drawing);
  const first = rest[0];
  const named = rowWidth(last) < columns ? [...last, colon] : last;
  if (rest.length === 1 && first !== undefined && rowWidth(named) + 1 + rowWidth(first) <= columns)
    return [...label.slice(0, -1), [...named, blank(1), ...withBefore(first, literal(' '))]];
  return [...label.slice(0, -1), named, ...rest.map((row) => (columns > 2 ? [blank(2), ...row] : row))];
}
