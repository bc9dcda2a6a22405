/** Draws the frame of the dialogs as rows, and places it: where a dialog is on the screen, its border and its title. */
import type { Size } from '../state/model/app-state.ts';
import { blank, type Row, repeated, rowWidth, type Style, span } from '../text/layout/row.ts';
import { cutLines, wrap } from '../text/layout/wrap.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import type { DrawnChoices } from './choices.ts';
import { ends, fitRow, type Look } from './frame.ts';
import { type GlyphSet, ownTextIn } from './glyph-set.ts';
import type { ClickArea } from './keys-line.ts';
import type { Rect } from './layout.ts';

export type DialogTone = 'danger' | 'plain';

export interface DialogOptions {
  readonly title: SafeText;
  /** A longer title is cut. */
  readonly titleRows?: number;
  /** The wanted size with the frame, in cells; it is cut to the screen. */
  readonly width: number;
  readonly height: number;
  readonly tone?: DialogTone;
}

/** A dialog that is drawn without Ink. */
export interface DrawnDialog {
  readonly rect: Rect;
  /** Exactly the rows of the rectangle, each as wide as it. */
  readonly rows: readonly Row[];
  /** The rows to choose from, for the mouse. */
  readonly choices: DrawnChoices;
  /** The other parts that can be clicked. */
  readonly areas: readonly ClickArea[];
  /** The cell of the cursor in its text field; null where it has none. */
  readonly cursor: { readonly x: number; readonly y: number } | null;
}

/** The rows within the frame of a dialog, below its title; those for which there is no room are cut. */
export interface DialogContent extends Pick<DrawnDialog, 'rows' | 'choices'> {
  readonly areas?: readonly ClickArea[];
  /** The column of the cursor in the first row, where that is a text field. */
  readonly cursor?: number | null;
}

const outerColumns = (wanted: number, screen: Size): number => Math.max(4, Math.min(wanted, screen.columns - 2));

/** The columns for text in a dialog of the wanted width. */
export const dialogColumns = (wanted: number, screen: Size): number => outerColumns(wanted, screen) - 4;

/** The rows that a dialog can have at most, with its frame. */
export const mostDialogRows = (screen: Size): number => Math.max(3, screen.rows - 1);

/** The rectangle of a dialog in the middle of the screen. */
export function dialogRect({ width, height }: Pick<DialogOptions, 'width' | 'height'>, screen: Size): Rect {
  const w = outerColumns(width, screen);
  const h = Math.max(3, Math.min(height, mostDialogRows(screen)));
  const x = Math.max(0, Math.floor((screen.columns - w) / 2));
  const y = Math.max(0, Math.floor((screen.rows - h) / 2));
  return { x, y, width: w, height: h };
}

/** The lines of the title, and the room below them within the frame. */
export function dialogParts({ title, titleRows = 1 }: DialogOptions, rect: Rect, { signs }: Pick<Look, 'signs'>) {
  const columns = rect.width - 4;
  const lines = cutLines(wrap(ownTextIn(title, signs), columns), columns, titleRows, signs.ellipsis);
  const height = Math.max(0, rect.height - 2 - lines.length);
  return { lines, room: { x: rect.x + 2, y: rect.y + 1 + lines.length, width: columns, height } };
}

/** The whole dialog around its content, which gets the room for it. */
export function drawDialog(
  options: DialogOptions,
  screen: Size,
  look: Look,
  content: (room: Rect) => DialogContent,
): DrawnDialog {
  const rect = dialogRect(options, screen);
  const { lines, room } = dialogParts(options, rect, look);
  const { rows, choices, areas = [], cursor = null } = content(room);
  const title = lines.map((line): Row => [span(line, look.theme.strong)]);
  const last = title.at(-1);
  if (last !== undefined) title[title.length - 1] = withPlace(last, choices.place, room.width, look);
  const frame = dialogFrame(rect, [...title, ...rows.slice(0, room.height)], options.tone ?? 'plain', look);
  return { rect, rows: frame, choices, areas, cursor: cursor === null ? null : { x: room.x + cursor, y: room.y } };
}

/** The title says at its right which of the rows are in sight, where there is room for that. */
function withPlace(title: Row, place: SafeText | undefined, columns: number, { theme, signs }: Look): Row {
  if (place === undefined) return title;
  const right = [span(ownTextIn(place, signs), theme.muted)];
  return rowWidth(title) + rowWidth(right) + 2 > columns ? title : ends(title, right, columns);
}

/** The border with the rows in it; rows that are missing are blank. */
export function dialogFrame(
  { width, height }: Pick<Rect, 'width' | 'height'>,
  rows: readonly Row[],
  tone: DialogTone,
  { theme, signs }: Pick<Look, 'theme' | 'signs'>,
): readonly Row[] {
  const style = theme.dialog[tone];
  const [topLeft, topRight, bottomLeft, bottomRight] = cornersOf(signs);
  const side = span(signs.vertical, style);
  const between: Row[] = [];
  for (let y = 0; y < height - 2; y++)
    between.push([side, blank(1), ...fitRow(rows[y] ?? [], width - 4), blank(1), side]);
  return [
    border(topLeft, topRight, width, style, signs),
    ...between,
    border(bottomLeft, bottomRight, width, style, signs),
  ];
}

type Corners = readonly [SafeText, SafeText, SafeText, SafeText];

const round: Corners = [literal('╭'), literal('╮'), literal('╰'), literal('╯')];

const cornersOf = ({ hasEmoji, topLeft, topRight, bottomLeft, bottomRight }: GlyphSet): Corners =>
  hasEmoji ? round : [topLeft, topRight, bottomLeft, bottomRight];

function border(left: SafeText, right: SafeText, width: number, style: Style, { horizontal }: GlyphSet): Row {
  const line = repeated(horizontal, width - 2, style);
  return [{ ...line, text: safe`${left}${line.text}${right}`, width }];
}
