/** Defines rows of the screen, made of styled spans: the view makes them, `Screen` compares and writes them. */

import type { ConversationId, MessageId } from '../../protocol/types.ts';
import { literal, type SafeText } from '../safe-text.ts';
import { eachCluster } from '../unicode/clusters.ts';
import { clusterWidth, width } from '../unicode/width.ts';

/** The parameters of one SGR sequence (`'1;38;5;12'`), `''` for the terminal's default; ECMA-48 §8.3.117. */
export type Style = string;

/** Joins two styles; the parameters of `over` come last and win. */
export const mix = (under: Style, over: Style): Style =>
  under === '' || over === '' ? under + over : `${under};${over}`;

/** What a click on a span acts on. */
export type Target =
  | { readonly kind: 'conversation'; readonly conversationId: ConversationId }
  | { readonly kind: 'message'; readonly messageId: MessageId }
  /** Goes to the message of the open conversation, wherever it is. */
  | { readonly kind: 'jump'; readonly messageId: MessageId }
  /** A command of the one table, by its id. */
  | { readonly kind: 'command'; readonly id: string }
  /** A command about a message. */
  | { readonly kind: 'message-command'; readonly messageId: MessageId; readonly id: string }
  /** An address on a page, which is not about one message. */
  | { readonly kind: 'address'; readonly address: string }
  /** A notice, by what it is about. */
  | { readonly kind: 'notice'; readonly about: string }
  | { readonly kind: 'link'; readonly messageId: MessageId; readonly address: string }
  /** A contact or a group, by its name. */
  | { readonly kind: 'person'; readonly of: { readonly kind: 'contact' | 'group'; readonly id: string } }
  /** The chip of a reaction. */
  | { readonly kind: 'reaction'; readonly messageId: MessageId; readonly name: string }
  /** What is attached to the message being written. `place` counts from 0; the name shows whether it is still that one. */
  | {
      readonly kind: 'attached';
      readonly conversationId: ConversationId;
      readonly place: number;
      readonly name: string;
    }
  /** A row of the list above the composer. The text that would replace the word shows whether it is still that row. */
  | { readonly kind: 'completion'; readonly row: number; readonly text: string };

/** A picture that the terminal prints at the cursor and does not hold: it is printed again wherever it is in sight. */
export interface PrintedPicture {
  readonly columns: number;
  readonly rows: number;
  /** The whole escape sequence; it depends on the pixels of the picture alone. */
  readonly sequence: string;
}

/** What a span shows of a picture. The text of the span is what is seen while the picture cannot be printed. */
export interface PicturePart {
  readonly picture: PrintedPicture;
  /** The row and the first column of the span, counted from the top left cell of the picture. */
  readonly row: number;
  readonly column: number;
}

export interface Span {
  readonly text: SafeText;
  readonly style: Style;
  /** Columns that `text` takes. */
  readonly width: number;
  readonly target?: Target;
  /**
   * For text that somebody has written: what comes before it there, which is a line feed where its line begins, and the
   * blanks left out where a line was broken into rows. Spans without it (frames, signs, notes) are not copied.
   */
  readonly before?: SafeText;
  /** A span that is cut loses it. */
  readonly picture?: PicturePart;
}

/** Spans from left to right; the columns after the last one are blank in the default style. */
export type Row = readonly Span[];

export const emptyRow: Row = [];

export function span(text: SafeText, style: Style = '', target?: Target): Span {
  const columns = width(text);
  return target === undefined ? { text, style, width: columns } : { text, style, width: columns, target };
}

/** Repeats a sign of one column to fill the columns; fewer than 0 count as none. */
export const repeated = (sign: SafeText, columns: number, style: Style): Span => ({
  text: sign.repeat(Math.max(0, columns)) as SafeText,
  style,
  width: Math.max(0, columns),
});

const space = literal(' ');

/** Spaces in a style. */
export const blank = (columns: number, style: Style = ''): Span => repeated(space, columns, style);

/** A single plain space. */
export const oneBlank: Span = blank(1);

/** Columns up to the end of the last span. */
export function rowWidth(row: Row): number {
  let total = 0;
  for (const item of row) total += item.width;
  return total;
}

/** The row with this target on every span that has none. */
export const withTarget = (row: Row, target: Target): Row =>
  row.map((item) =>
    item.target !== undefined
      ? item
      : {
          text: item.text,
          style: item.style,
          width: item.width,
          target,
          ...(item.before !== undefined && { before: item.before }),
          ...(item.picture !== undefined && { picture: item.picture }),
        },
  );

/** The row as a sign or note, which is not copied with the text around it. */
export const asNote = (row: Row): Row => row.map(({ before: _, ...item }) => item);

/** The row as text with something else before it. */
export const withBefore = ([first, ...rest]: Row, before: SafeText): Row =>
  first === undefined ? [] : [{ ...first, before }, ...rest];

/** The target of the span that covers a column; null where there is none. */
export function targetAt(row: Row, column: number): Target | null {
  let end = 0;
  for (const item of row) {
    end += item.width;
    if (column < end) return item.target ?? null;
  }
  return null;
}

/** Rows side by side. */
export function joinRows(...rows: readonly Row[]): Row {
  return rows.flat();
}

/** The row exactly `columns` wide: cut, or filled with spaces of the style. */
export function padRow(row: Row, columns: number, style: Style = ''): Row {
  const used = rowWidth(row);
  if (used > columns) return cutRow(row, 0, columns);
  return used === columns ? row : [...row, blank(columns - used, style)];
}

/**
 * The columns `from` to `to` (exclusive) of a row; shorter when the row ends before `to`. Spans that lie inside are
 * the same objects. Of a wide character that is cut, the columns inside become spaces.
 */
export function cutRow(row: Row, from: number, to: number): Row {
  const kept: Span[] = [];
  let at = 0;
  for (const item of row) {
    const start = at;
    at += item.width;
    if (start >= to) break;
    if (at < from || (at === from && item.width > 0)) continue;
    if (start >= from && at <= to) kept.push(item);
    else kept.push(cutSpan(item, Math.max(0, from - start), Math.min(item.width, to - start)));
  }
  return kept;
}

/** The row when it fits, else its beginning and the ellipsis in the style of what it cuts. */
export function shortenRow(row: Row, columns: number, ellipsis: SafeText): Row {
  if (rowWidth(row) <= columns) return row;
  const room = columns - width(ellipsis);
  if (room < 0) return emptyRow;
  const kept = cutRow(row, 0, room);
  return joinRows(kept, [span(ellipsis, kept.at(-1)?.style)]);
}

function cutSpan(whole: Span, from: number, to: number): Span {
  const item = whole.picture === undefined ? whole : withoutPicture(whole);
  const { text } = item;
  if (text.length === item.width) {
    // One unit a column throughout: nothing in it is wide, joined or invisible, unless these cancel out.
    if (/^[\x20-\x7e]*$/.test(text)) return { ...item, text: text.slice(from, to) as SafeText, width: to - from };
  }
  let out = '';
  let at = 0;
  eachCluster(text, 0, (start, end, codePoint) => {
    const next = at + clusterWidth(text, start, end, codePoint);
    if (at >= from && next <= to) out += text.slice(start, end);
    else out += ' '.repeat(Math.max(0, Math.min(next, to) - Math.max(at, from)));
    at = next;
    return at < to;
  });
  return { ...item, text: out as SafeText, width: to - from };
}

const withoutPicture = ({ picture: _, ...item }: Span): Span => item;

/** `base` with `top` laid over it from column `x` on; columns that `base` lacks before `x` are blank. */
export function overlay(base: Row, x: number, top: Row): Row {
  const left = padRow(cutRow(base, 0, x), x);
  return [...left, ...top, ...cutRow(base, x + rowWidth(top), Number.MAX_SAFE_INTEGER)];
}

/** The row as bytes for a terminal whose style is the default, which it is again afterwards. */
export function rowToAnsi(row: Row): string {
  let out = '';
  let style: Style = '';
  for (const item of row) {
    if (item.text === '') continue;
    if (item.style !== style) {
      out += item.style === '' ? '\x1b[0m' : `\x1b[${style === '' ? '' : '0;'}${item.style}m`;
      style = item.style;
    }
    out += item.text;
  }
  return style === '' ? out : `${out}\x1b[0m`;
}
