/** Turns "this text in this style at this cell" into the fewest bytes, by knowing where the terminal's cursor and colours are. */
import type { Span, Style } from '../text/layout/row.ts';
import { width } from '../text/unicode/width.ts';
import { asciiOf, isAscii, isPlain, resyncOffsets } from './glyphs.ts';

export interface Cell {
  readonly x: number;
  readonly y: number;
}

export interface Pen {
  moveTo(x: number, y: number): void;
  /** Draws at the cursor. */
  draw(span: Span): void;
  /** Blanks `count` columns at the cursor in the default style; `isRest`: nothing is wanted up to the end of the row. */
  blank(count: number, isRest: boolean): void;
  /** Bytes for the terminal since the last `take`. */
  take(): string;
  /** Call when the position of the cursor and the style are unknown. */
  forget(): void;
  /** The terminal has just been cleared: cursor at the top left, default style. */
  home(): void;
}

/** Blanks up to this many columns are written as spaces: shorter than an erase. */
const spacesMost = 3;

/**
 * @param columns asked at each use, as the terminal is resized under the pen
 * @param isUtf8 false: nothing but ASCII is written
 */
export function createPen(columns: () => number, isUtf8 = true): Pen {
  let out = '';
  let x = -1;
  let y = -1;
  let style: Style | null = null;

  const setStyle = (next: Style): void => {
    if (next === style) return;
    if (next === '') out += '\x1b[m';
    else if (style === '') out += `\x1b[${next}m`;
    else if (style !== null && next.startsWith(`${style};`)) out += `\x1b[${next.slice(style.length + 1)}m`;
    else out += `\x1b[0;${next}m`;
    style = next;
  };

  const advance = (count: number): void => {
    x += count;
    // In the last column terminals differ on where the cursor is now.
    if (x >= columns()) x = -1;
  };

  const write = (text: string, count: number): void => {
    out += text;
    advance(count);
  };

  const moveTo = (toX: number, toY: number): void => {
    if (toY === y && x >= 0) {
      if (toX === x) return;
      if (toX < x && x - toX <= 4) out += '\b'.repeat(x - toX);
      else out += toX === 0 ? '\r' : `\x1b[${toX + 1}G`;
    } else if (toY === y) out += toX === 0 ? '\r' : `\x1b[${toX + 1}G`;
    else out += toX === 0 ? `\x1b[${toY + 1}H` : `\x1b[${toY + 1};${toX + 1}H`;
    x = toX;
    y = toY;
  };

  /**
   * Terminals measure this text differently: its columns are erased first, so that nothing old shows where one thinks it
   * narrower, and after each cluster in doubt the column is set anew, so that nothing behind it shifts.
   */
  const drawOdd = ({ text, width: total }: Span): void => {
    const end = x + total;
    if (total > 0) out += `\x1b[${total}X`;
    let from = 0;
    let column = x;
    for (const to of resyncOffsets(text)) {
      const piece = text.slice(from, to);
      out += piece;
      column = to === text.length ? end : column + width(piece);
      x = -1;
      if (column < columns()) moveTo(column, y);
      from = to;
    }
    if (from < text.length) write(text.slice(from), end - column);
  };

  return {
    moveTo,
    draw(span) {
      setStyle(span.style);
      if (!isUtf8) write(asciiOf(span.text), span.width);
      else if (isAscii(span.text) || isPlain(span.text)) write(span.text, span.width);
      else drawOdd(span);
    },
    blank(count, isRest) {
      if (count <= 0) return;
      setStyle('');
      if (isRest && count > spacesMost) out += '\x1b[K';
      else write(' '.repeat(count), count);
    },
    take() {
      const bytes = out;
      out = '';
      return bytes;
    },
    forget() {
      x = -1;
      y = -1;
      style = null;
    },
    home() {
      x = 0;
      y = 0;
      style = '';
    },
  };
}
