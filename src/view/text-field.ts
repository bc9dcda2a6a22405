/** Draws a text field as one row: the part around the cursor that fits, with cursor and selection in inverse video. */
import { selectionOf } from '../state/composer/draft.ts';
import type { Draft } from '../state/model/app-state.ts';
import { type Row, span } from '../text/layout/row.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import { nextBoundary, previousBoundary } from '../text/unicode/graphemes.ts';
import { truncate, width } from '../text/unicode/width.ts';
import type { Look } from './frame.ts';

export interface FieldPiece {
  /** The offset in the text at which the piece begins; for an ellipsis, a number that no character has. */
  readonly at: number;
  readonly text: SafeText;
  readonly isInverse: boolean;
}

export interface Field {
  readonly label: SafeText;
  readonly value: string;
  readonly placeholder: SafeText;
  /** Null where the field does not have the keyboard: it has no cursor then. */
  readonly draft: Draft | null;
}

interface Cell {
  /** Offset of the character in the text. */
  readonly at: number;
  readonly text: SafeText;
  readonly columns: number;
}

const blank = literal(' ');
const star = literal('*');

/** The columns after the cursor that stay in sight: a third of the row. */
const aheadOf = (columns: number): number => Math.floor(columns / 3);

/**
 * Draws the field with its label. Where it is empty, the cursor is on the first character of the placeholder.
 *
 * @param columns the cells of label and field
 */
export function fieldRow(
  { label, value, placeholder, draft }: Field,
  columns: number,
  look: Pick<Look, 'theme' | 'signs'>,
): Row {
  const { theme, signs } = look;
  const head = span(safe`${label} `, theme.strong);
  const room = Math.max(2, columns - head.width);
  if (value !== '' && draft === null)
    return [head, span(truncate(sanitizeLine(value), room, signs.ellipsis), theme.plain)];
  if (value !== '' && draft !== null) {
    const pieces = fieldPieces(draft, room, false, signs.ellipsis);
    return [head, ...pieces.map(({ text, isInverse }) => span(text, isInverse ? theme.selected : theme.plain))];
  }
  const shown = truncate(placeholder, room, signs.ellipsis);
  if (draft === null) return [head, span(shown, theme.muted)];
  const first = sanitizeLine(shown.slice(0, 1) || ' ');
  return [head, span(first, theme.selected), span(sanitizeLine(shown.slice(1)), theme.muted)];
}

/** The column of the cursor in the row that `fieldRow` draws; null where the field has none. */
export function fieldCursor(
  { label, value, draft }: Field,
  columns: number,
  { signs }: Pick<Look, 'signs'>,
): number | null {
  if (draft === null) return null;
  const head = width(label) + 1;
  return value === '' ? head : head + fieldWithCursor(draft, Math.max(2, columns - head), signs.ellipsis).cursor;
}

/**
 * @param columns the cells of the row
 * @param isSecret shows the same sign for every character
 * @param ellipsis is shown where the text continues out of sight
 */
export function fieldPieces(
  draft: Pick<Draft, 'text' | 'cursor' | 'anchor'>,
  columns: number,
  isSecret: boolean,
  ellipsis: SafeText,
): readonly FieldPiece[] {
  const { before, here, after } = cellsInSight(draft, columns, isSecret, ellipsis);
  return joined(draft, [...before, here, ...after], draft.cursor);
}

/** The text of a field whose cursor is that of the terminal, with the column of the cursor in it. */
export function fieldWithCursor(
  draft: Pick<Draft, 'text' | 'cursor' | 'anchor'>,
  columns: number,
  ellipsis: SafeText,
): { readonly pieces: readonly FieldPiece[]; readonly cursor: number } {
  const { before, here, after } = cellsInSight(draft, columns, false, ellipsis);
  const isAtEnd = here.at >= draft.text.length;
  return {
    pieces: joined(draft, [...before, ...(isAtEnd ? [] : [here]), ...after], null),
    cursor: columnsOf(before),
  };
}

interface CellsInSight {
  readonly before: readonly Cell[];
  /** The cell at the cursor; after the text, a blank. */
  readonly here: Cell;
  readonly after: readonly Cell[];
}

function cellsInSight(
  draft: Pick<Draft, 'text' | 'cursor'>,
  columns: number,
  isSecret: boolean,
  ellipsis: SafeText,
): CellsInSight {
  const { text, cursor } = draft;
  const cell = (at: number, to: number): Cell => {
    const drawn = at >= text.length ? blank : isSecret ? star : sanitizeLine(text.slice(at, to));
    return { at, text: drawn, columns: width(drawn) };
  };
  const here = cell(cursor, nextBoundary(text, cursor));
  const room = Math.max(1, columns - here.columns);
  const side = width(ellipsis);
  const ahead = cellsAfter(text, cell, cursor, room);
  const kept = Math.min(columnsOf(ahead), aheadOf(columns));
  const before = cellsBefore(text, cell, cursor, room - kept);
  const after = fitted(ahead, room - columnsOf(before));
  const isCutLeft = (before[0]?.at ?? cursor) > 0;
  const isCutRight = nextOf(text, after.at(-1)?.at ?? cursor) < text.length;
  return {
    before: isCutLeft ? cutLeft(before, ellipsis, side) : before,
    here,
    after: isCutRight ? cutRight(after, ellipsis, side) : after,
  };
}

type CellOf = (at: number, to: number) => Cell;

const nextOf = (text: string, at: number): number => (at >= text.length ? text.length : nextBoundary(text, at));

const columnsOf = (cells: readonly Cell[]): number => cells.reduce((sum, { columns }) => sum + columns, 0);

/** The characters after the one at the cursor, as far as they fit. */
function cellsAfter(text: string, cell: CellOf, cursor: number, room: number): readonly Cell[] {
  const cells: Cell[] = [];
  let used = 0;
  for (let at = nextOf(text, cursor); at < text.length; at = nextOf(text, at)) {
    const one = cell(at, nextOf(text, at));
    used += one.columns;
    if (used > room || cells.length > room * 4) break;
    cells.push(one);
  }
  return cells;
}

function cellsBefore(text: string, cell: CellOf, cursor: number, room: number): readonly Cell[] {
  const cells: Cell[] = [];
  let used = 0;
  for (let to = cursor; to > 0; ) {
    const at = previousBoundary(text, to);
    const one = cell(at, to);
    used += one.columns;
    if (used > room || cells.length > room * 4) break;
    cells.unshift(one);
    to = at;
  }
  return cells;
}

function fitted(cells: readonly Cell[], room: number): readonly Cell[] {
  let used = 0;
  const end = cells.findIndex(({ columns }) => {
    used += columns;
    return used > room;
  });
  return end < 0 ? cells : cells.slice(0, end);
}

/** The ellipsis takes the place of the outermost characters. */
function cutLeft(cells: readonly Cell[], ellipsis: SafeText, side: number): readonly Cell[] {
  let from = 0;
  for (let freed = 0; freed < side && from < cells.length; from++) freed += cells[from]?.columns ?? 0;
  return from === 0 ? cells : [{ at: -1, text: ellipsis, columns: side }, ...cells.slice(from)];
}

function cutRight(cells: readonly Cell[], ellipsis: SafeText, side: number): readonly Cell[] {
  let to = cells.length;
  for (let freed = 0; freed < side && to > 0; to--) freed += cells[to - 1]?.columns ?? 0;
  return to === cells.length ? cells : [...cells.slice(0, to), { at: -2, text: ellipsis, columns: side }];
}

/** @param cursor the offset of the character that is drawn inverse, as the selection is; null: no character */
function joined(
  draft: Pick<Draft, 'text' | 'cursor' | 'anchor'>,
  cells: readonly Cell[],
  cursor: number | null,
): readonly FieldPiece[] {
  const selection = selectionOf(draft);
  const pieces: FieldPiece[] = [];
  for (const { at, text } of cells) {
    const isSelected = selection !== null && at >= selection.start && at < selection.end;
    const isInverse = at === cursor || isSelected;
    const last = pieces.at(-1);
    if (last?.isInverse === isInverse) pieces[pieces.length - 1] = { ...last, text: safe`${last.text}${text}` };
    else pieces.push({ at, text, isInverse });
  }
  return pieces;
}
