/** What all panes are drawn with, and their borders. Every row has exactly the width that the caller gives. */
import {
  cutRow,
  mix,
  oneBlank,
  padRow,
  type Row,
  repeated,
  rowWidth,
  type Span,
  type Style,
  shortenRow,
  span,
} from '../text/layout/row.ts';
import { type SafeText, safe } from '../text/safe-text.ts';
import { width } from '../text/unicode/width.ts';
import type { GlyphSet } from './glyph-set.ts';
import type { Markdown } from './markdown.ts';
import type { PictureColours } from './picture.ts';
import type { Theme } from './theme.ts';

export interface Look {
  readonly theme: Theme;
  readonly signs: GlyphSet;
  readonly markdown: Markdown;
  /** Null where no pictures are drawn. */
  readonly pictureColours: PictureColours | null;
}

/** Returns the label of a command's first key, `''` when it has none. */
export type KeyOf = (commandId: string) => string;

export interface Sides {
  readonly left: boolean;
  readonly right: boolean;
}

export const bothSides: Sides = { left: true, right: true };
export const leftSide: Sides = { left: true, right: false };

/** Cuts the row, or fills it with blanks. */
export function fitRow(row: Row, columns: number): Row {
  const taken = rowWidth(row);
  if (taken === columns) return row;
  return taken > columns ? cutRow(row, 0, columns) : padRow(row, columns, '');
}

/** Puts `left` at the left end and `right` at the right end; `left` is cut where both do not fit. */
export function ends(left: Row, right: Row, columns: number): Row {
  const tail = rowWidth(right);
  return tail >= columns ? fitRow(right, columns) : [...fitRow(left, columns - tail), ...right];
}

export function framed(content: Row, columns: number, sides: Sides, look: Look): Row {
  const edge: Span = { text: look.signs.vertical, style: look.theme.border, width: 1 };
  const row = sides.left ? [edge, ...content] : content;
  const fitted = fitRow(row, columns - Number(sides.right));
  return sides.right ? [...fitted, edge] : fitted;
}

export const innerColumns = (columns: number, { left, right }: Sides): number =>
  Math.max(0, columns - Number(left) - Number(right));

export interface Corners {
  readonly left: SafeText;
  /** null where the next pane draws the corner. */
  readonly right: SafeText | null;
}

/** The note is left out before the title is cut to fewer columns than this. */
const shortestTitle = 12;

/** How the borders and the title of a pane are drawn: those of the one that has the keyboard are heavy. */
export function paneLook(look: Look, hasFocus: boolean): Look & { readonly title: Style } {
  const { theme, signs } = look;
  if (!hasFocus) return { ...look, title: theme.title };
  return {
    ...look,
    theme: { ...theme, border: theme.borderFocused },
    signs: { ...signs, horizontal: signs.horizontalFocused },
    title: theme.titleFocused,
  };
}

/** The text in a border; left out: there is none. */
interface BorderText {
  /** At the left. */
  readonly title?: Row;
  /** The title where there is no room for all of `title`. */
  readonly shorter?: Row;
  /** At the right, where there is room. */
  readonly note?: Row;
}

export function borderRow(columns: number, corners: Corners, look: Look, text: BorderText): Row {
  const { title = [], shorter = title, note = [] } = text;
  const { border } = look.theme;
  const right: Row = corners.right === null ? [] : [span(corners.right, border)];
  const room = columns - 1 - right.length;
  const wanted: Row = note.length === 0 ? [] : [oneBlank, ...note, oneBlank, line(1, look)];
  const tail = rowWidth(wanted) + (title.length === 0 ? 0 : shortestTitle) > room ? [] : wanted;
  const titleRoom = Math.max(0, room - 3 - rowWidth(tail));
  const written = rowWidth(title) > titleRoom ? shorter : title;
  const head: Row =
    title.length === 0 ? [] : [oneBlank, ...shortenRow(written, titleRoom, look.signs.ellipsis), oneBlank];
  const fill = room - rowWidth(head) - rowWidth(tail);
  return fitRow([span(corners.left, border), ...head, line(fill, look), ...tail, ...right], columns);
}

export function ruleRow(columns: number, label: SafeText, style: string, look: Look): Row {
  const room = columns - width(label) - 2;
  if (room < 2) return fitRow([span(label, style)], columns);
  const left = Math.floor(room / 2);
  const middle = span(safe` ${label} `, style);
  return [line(left, look), middle, line(room - left, look)];
}

const line = (columns: number, { signs, theme }: Look): Span => repeated(signs.horizontal, columns, theme.border);

/**
 * The style of a part of a selected row. Muted words are drawn as plain ones there: dim letters in inverse video are hard
 * to read, and stand on another colour than the rest of the row.
 */
export const selectedStyle = (style: Style, { theme }: Pick<Look, 'theme'>): Style =>
  mix(style === theme.muted ? theme.plain : style, theme.selected);
