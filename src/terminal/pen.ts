/** Draws styled text at a cell with the fewest bytes: it remembers where the terminal's cursor is, and its colours. */
import type { Span, Style } from '../text/layout/row.ts';
import { isPictureText } from '../text/picture-cells.ts';
import { width } from '../text/unicode/width.ts';
import { asciiOf, isAscii, isDrawnAlike, resyncOffsets } from './glyph-widths.ts';
import { hyperlinkEnd, hyperlinkStart } from './hyperlink.ts';

export interface Cell {
  readonly x: number;
  readonly y: number;
}

export type Restyle = (style: Style) => Style;

/** Up to this many blank columns are written as spaces, which take fewer bytes than an erase. */
const spacesMost = 3;
/** From this many blank columns on, an erase and a move take fewer bytes than spaces. */
const blanksLeast = 12;

export class Pen {
  readonly #columns: () => number;
  #isUtf8: boolean;
  #restyle: Restyle | null = null;
  readonly #hasHyperlinks: boolean;
  #out = '';
  /** The column of the terminal's cursor; -1 when it is unknown. */
  #x = -1;
  #y = -1;
  /** The style that the terminal draws with; null when it is unknown. */
  #style: Style | null = null;

  /**
   * @param columns is asked at each use, because the terminal may be resized
   * @param isUtf8 when false, nothing but ASCII is written
   * @param hasHyperlinks whether links are given to the terminal, as OSC 8
   */
  constructor(columns: () => number, isUtf8 = true, hasHyperlinks = false) {
    this.#columns = columns;
    this.#isUtf8 = isUtf8;
    this.#hasHyperlinks = hasHyperlinks;
  }

  /** Changes what is drawn from now on; what is drawn already stays. */
  setUtf8(on: boolean): void {
    this.#isUtf8 = on;
  }

  /** Sets the function that replaces the styles of what is drawn from now on; null: none. Pictures keep their colours. */
  setRestyle(restyle: Restyle | null): void {
    this.#restyle = restyle;
  }

  moveTo(x: number, y: number): void {
    if (y === this.#y && this.#x >= 0) {
      if (x === this.#x) return;
      if (x < this.#x && this.#x - x <= 4) this.#out += '\b'.repeat(this.#x - x);
      else this.#out += x === 0 ? '\r' : `\x1b[${x + 1}G`;
    } else if (y === this.#y) this.#out += x === 0 ? '\r' : `\x1b[${x + 1}G`;
    else this.#out += x === 0 ? `\x1b[${y + 1}H` : `\x1b[${y + 1};${x + 1}H`;
    this.#x = x;
    this.#y = y;
  }

  /**
   * Draws at the cursor.
   * @param room the columns from there on that are drawn next, at least those of the span
   */
  draw(span: Span, room: number = span.width): void {
    if (span.text === '') return;
    const link = this.#hasHyperlinks ? hyperlinkStart(span.target) : '';
    this.#out += link;
    this.#drawText(span, room);
    if (link !== '') this.#out += hyperlinkEnd;
  }

  #drawText(span: Span, room: number): void {
    this.#setStyle(this.#restyle === null || isPictureText(span.text) ? span.style : this.#restyle(span.style));
    if (!this.#isUtf8) this.#write(asciiOf(span.text), span.width);
    else if (isAscii(span.text) || isDrawnAlike(span.text)) this.#write(span.text, span.width);
    else this.#drawOdd(span, room);
  }

  /** Blanks `count` columns at the cursor in the default style. With `isRest` nothing follows them in the row. */
  blank(count: number, isRest: boolean): void {
    if (count <= 0) return;
    this.#setStyle('');
    if (isRest && count > spacesMost) this.#out += '\x1b[K';
    else this.#write(' '.repeat(count), count);
  }

  /** Blanks a long run of unstyled spaces, and leaves the cursor before it. @returns false for anything else */
  skipBlanks({ text, style, width: count }: Span): boolean {
    if (style !== '' || count < blanksLeast || text.trim() !== '' || text.length !== count) return false;
    this.#setStyle('');
    this.#out += `\x1b[${count}X`;
    return true;
  }

  /** Writes a sequence that prints a picture at the cursor; terminals differ on where the cursor is after it. */
  print(sequence: string): void {
    this.#out += sequence;
    this.forget();
  }

  /** Returns the bytes for the terminal since the last call. */
  take(): string {
    const bytes = this.#out;
    this.#out = '';
    return bytes;
  }

  /** Call when the position of the cursor and the style are unknown. */
  forget(): void {
    this.#x = -1;
    this.#y = -1;
    this.#style = null;
  }

  /** Call when the terminal has just been cleared: its cursor is at the top left, its style the default. */
  home(): void {
    this.#x = 0;
    this.#y = 0;
    this.#style = '';
  }

  #setStyle(next: Style): void {
    const style = this.#style;
    if (next === style) return;
    if (next === '') this.#out += '\x1b[m';
    else if (style === '') this.#out += `\x1b[${next}m`;
    else if (style !== null && next.startsWith(`${style};`)) this.#out += `\x1b[${next.slice(style.length + 1)}m`;
    else this.#out += `\x1b[0;${next}m`;
    this.#style = next;
  }

  #write(text: string, count: number): void {
    this.#out += text;
    this.#x += count;
    // In the last column terminals differ on where the cursor is now.
    if (this.#x >= this.#columns()) this.#x = -1;
  }

  /**
   * Draws text whose width terminals measure differently. It erases the columns first, so that nothing old shows, and
   * sets the column anew after each doubtful cluster, so that nothing after it shifts. All the room is erased: where half
   * of an old wide character is left, tmux takes away the new character before it.
   */
  #drawOdd({ text, width: total }: Span, room: number): void {
    const end = this.#x + total;
    if (total > 0) this.#out += `\x1b[${room}X`;
    let from = 0;
    let column = this.#x;
    for (const to of resyncOffsets(text)) {
      const piece = text.slice(from, to);
      this.#out += piece;
      column = to === text.length ? end : column + width(piece);
      this.#x = -1;
      if (column < this.#columns()) this.moveTo(column, this.#y);
      from = to;
    }
    if (from < text.length) this.#write(text.slice(from), end - column);
  }
}
