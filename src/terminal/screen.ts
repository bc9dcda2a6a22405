/** Composes layers into frames and writes to the terminal what has changed, with one write a frame. */
import type { Span, Target } from '../text/layout/row.ts';
import { DrawnRows } from './drawn-rows.ts';
import { hyperlinkEnd } from './hyperlink.ts';
import { InkStream } from './ink-stream.ts';
import type { Layer, Lifted, Rect } from './layer.ts';
import { statusQuestion } from './line-pace.ts';
import {
  type CursorShape,
  cursorHide,
  cursorSequence,
  cursorShow,
  enterSequence,
  kittySequence,
  leaveSequence,
  type Modes,
  modesSequence,
  mouseSequence,
  syncBegin,
  syncEnd,
} from './modes.ts';
import type { Cell, Restyle } from './pen.ts';
import { PartWriter } from './pictures/parts.ts';
import { later } from './pictures/printed.ts';
import type { ScreenOptions } from './screen-options.ts';
import type { TtyPort } from './tty-port.ts';

export type { Cell, Layer, Lifted, Rect };

export interface ScreenStats {
  readonly frames: number;
  readonly bytes: number;
  readonly rowsPainted: number;
}

/** A frame of one row and at most this many bytes needs no marks: no terminal can show half of it. */
const tinyFrame = 40;

export class Screen {
  readonly #options: ScreenOptions;
  readonly #tty: TtyPort;
  readonly #drawn: DrawnRows;
  #isUtf8: boolean;
  #restyle: Restyle | null = null;
  readonly #ink: InkStream;
  /** Writes long sequences that draw nothing. */
  readonly parts: PartWriter;
  readonly #stats = { frames: 0, bytes: 0, rowsPainted: 0 };
  readonly stats: ScreenStats = this.#stats;
  #isActive = false;
  #isBlocked = false;
  #isFlushAsked = false;
  #hasAsked = false;
  /** The bytes to write before the next frame. */
  #prologue = '';
  /** The cell at which the cursor is to be; null: it is hidden, in any place. */
  #cursor: Cell | null = null;
  #hidesCursor = false;
  #isCursorShown = false;
  /** The row in which the terminal's cursor was shown last. */
  #cursorRow = -1;
  #modes: Modes;

  constructor(options: ScreenOptions) {
    const { tty, mouse = false } = options;
    this.#options = options;
    this.#tty = tty;
    this.#modes = { mouse, kitty: false, cursor: null };
    this.#isUtf8 = options.isUtf8 !== false;
    this.#drawn = new DrawnRows(() => this.requestFlush(), options);
    this.#drawn.resize(tty.columns, tty.rows);
    this.parts = new PartWriter({
      hasRoom: () => this.#hasRoom(),
      write: (part) => this.#send(part),
      later: options.later ?? later,
    });
    this.#ink = new InkStream(this, (rows) => this.#drawn.layers.setBase(rows));
    tty.on('resize', () => this.#resize());
    tty.on('drain', () => {
      this.#isBlocked = false;
      this.flush();
    });
    tty.on('hangup', () => {
      this.#isActive = false;
      options.onHangup?.();
    });
  }

  get columns(): number {
    return this.#drawn.columns;
  }

  get rows(): number {
    return this.#drawn.rows;
  }

  /** Adds an opaque rectangle. Its changes ask for a frame and show with it. */
  addLayer({ rect, z }: { readonly rect: Rect; readonly z: number }): Layer {
    return this.#drawn.layers.add(rect, z);
  }

  /** Shows a rectangle of Ink's frame, which is below all layers, at `z`. */
  lift(rect: Rect, z: number): Lifted {
    return this.#drawn.layers.lift(rect, z);
  }

  inkStream(): NodeJS.WriteStream {
    return this.#ink as unknown as NodeJS.WriteStream;
  }

  /** @returns the target of the span at a cell; null where there is none */
  readonly targetAt = (x: number, y: number): Target | null => this.#drawn.targetAt(x, y);

  /** Sets the place of the terminal's cursor, also of one that is hidden; null hides it, in any place. */
  setCursor(cell: Cell | null, { isHidden = false } = {}): void {
    const old = this.#cursor;
    const isSame = cell === old || (cell !== null && cell.x === old?.x && cell.y === old.y);
    if (isSame && isHidden === this.#hidesCursor) return;
    this.#cursor = cell;
    this.#hidesCursor = isHidden;
    this.requestFlush();
  }

  /**
   * Shows a character of one column at the cursor at once. In the same turn the caller calls `keepEcho` when it is
   * right, or `flush`, which compares it with what the layers show.
   * @returns false, with nothing shown, while a frame is waiting or no cursor is shown
   */
  echo(character: Span): boolean {
    if (!this.#isActive || this.#isBlocked || !this.#isCursorShown || this.#cursor === null) return false;
    if (!this.#drawn.echo(character, this.#cursor)) return false;
    this.#sendFrame(this.#drawn.pen.take(), 1);
    return true;
  }

  /** @param draw sets the rows that were echoed into; called once, before the next frame is composed */
  keepEcho(draw: () => void): void {
    this.#cursor = this.#drawn.keepEcho(draw) ?? this.#cursor;
  }

  /** Whether the terminal still owes an answer, which the next program would read as something typed. */
  get isAnswerAwaited(): boolean {
    return this.#options.pace?.isAwaited === true;
  }

  /** Call with the bytes of the terminal, before they are decoded: after its answer the next frame may be written. */
  hear(bytes: Buffer): void {
    if (this.#options.pace?.heard(bytes) !== true || !this.#isActive) return;
    if (this.#options.pace.sent(0)) this.#tty.write(statusQuestion);
    this.flush();
  }

  /** Paints now what has changed, in one write or none. */
  flush(): void {
    this.#isFlushAsked = false;
    if (!this.#isActive || this.#isBlocked) return;
    const waits = this.#prologue === '' && this.#options.pace?.waits(() => this.flush()) === true;
    const painted = waits ? this.#paintCursorRow() : this.#drawn.paint();
    const cursor = this.#cursor;
    const { columns, rows, pen } = this.#drawn;
    if (cursor !== null) pen.moveTo(Math.min(cursor.x, columns - 1), Math.min(cursor.y, rows - 1));
    let frame = pen.take();
    const isTiny = painted <= 1 && frame.length <= tinyFrame && this.#prologue === '';
    const isShown = cursor !== null && !this.#hidesCursor;
    const mustShow = isShown && !this.#isCursorShown;
    const mustHide = this.#isCursorShown && (!isShown || (frame !== '' && !isTiny));
    if (frame === '' && !mustShow && !mustHide && this.#prologue === '') return;
    if (mustHide) frame = cursorHide + frame;
    if (mustShow || (mustHide && isShown)) frame += cursorShow;
    this.#isCursorShown = isShown;
    this.#cursorRow = isShown ? cursor.y : -1;
    if (!isTiny) frame = `${this.#prologue}${syncBegin}${frame}${syncEnd}`;
    if (!this.#hasAsked) frame += this.#options.queries ?? '';
    this.#hasAsked = true;
    this.#prologue = '';
    this.#sendFrame(frame, painted);
  }

  requestFlush(): void {
    if (this.#isFlushAsked || !this.#isActive) return;
    this.#isFlushAsked = true;
    (this.#options.schedule ?? queueMicrotask)(this.#flushIfAsked);
  }

  /** Turns all modes on and paints everything again, over whatever the terminal shows, unless that `isDrawn` already. */
  readonly redraw = (isDrawn = false): void => {
    this.writeControl(modesSequence(this.#modes));
    if (!isDrawn) this.#drawn.repaint();
  };

  /** Takes the terminal over, in the same write as the first frame. */
  enter(): void {
    if (this.#isActive) return;
    this.#isActive = true;
    this.#isBlocked = false;
    this.#options.pace?.forget();
    this.#resize();
    this.#drawn.clear();
    this.#isCursorShown = false;
    this.#prologue = enterSequence(this.#modes);
    this.requestFlush();
  }

  /** Gives the terminal back before it returns. It may be called twice, and by exit handlers. */
  leave(): void {
    if (!this.#isActive) return;
    this.#isActive = false;
    // Nothing was taken over yet, and what is on the terminal belongs to others.
    if (this.#prologue !== '') return;
    // What the terminal has not taken is dropped, and with it the question after it.
    if (this.#isBlocked) this.#options.pace?.forget();
    const end = this.parts.end() + (this.#options.hasHyperlinks === true ? hyperlinkEnd : '');
    this.#tty.writeSync(end + leaveSequence(this.#modes));
  }

  setMouse(on: boolean): void {
    if (on !== this.#modes.mouse) this.#switchMode({ ...this.#modes, mouse: on }, mouseSequence(on));
  }

  /** Call with true when the terminal has answered the kitty keyboard query. */
  setKittyKeyboard(on: boolean): void {
    if (on !== this.#modes.kitty) this.#switchMode({ ...this.#modes, kitty: on }, kittySequence(on));
  }

  /** Gives the cursor a shape where the terminal has shapes; `leave` gives it the user's own back. */
  setCursorShape(shape: CursorShape): void {
    if (shape === this.#modes.cursor || this.#options.hasCursorShapes === false) return;
    this.#switchMode({ ...this.#modes, cursor: shape }, cursorSequence(shape));
  }

  /** Whether other characters than ASCII are written; a change paints everything again. */
  setUtf8(on: boolean): void {
    if (on === this.#isUtf8) return;
    this.#isUtf8 = on;
    this.#drawn.pen.setUtf8(on);
    this.#drawn.repaint();
  }

  /** Gives all but pictures other styles, or their own back; a change paints everything again with the next frame. */
  setRestyle(restyle: Restyle | null): void {
    if (restyle === this.#restyle) return;
    this.#restyle = restyle;
    this.#drawn.pen.setRestyle(restyle);
    this.#drawn.repaint();
  }

  /**
   * Writes bytes that draw nothing and do not move the cursor (notification, clipboard, title), never before those of
   * `enter`.
   */
  writeControl(bytes: string): void {
    if (this.#prologue !== '') this.#prologue += bytes;
    else if (this.#isActive && bytes !== '') this.#send(bytes);
  }

  #hasRoom(): boolean {
    return this.#isActive && !this.#isBlocked && this.#prologue === '' && this.#options.pace?.hasRoom !== false;
  }

  readonly #flushIfAsked = (): void => {
    if (this.#isFlushAsked) this.flush();
  };

  #sendFrame(bytes: string, rowsPainted: number): void {
    this.#stats.frames++;
    this.#stats.rowsPainted += rowsPainted;
    this.#send(bytes);
  }

  #send(bytes: string): void {
    const length = Buffer.byteLength(bytes);
    this.#stats.bytes += length;
    const asks = this.#options.pace?.sent(length) === true;
    if (!this.#tty.write(asks ? bytes + statusQuestion : bytes)) this.#isBlocked = true;
  }

  /** Paints the row of the cursor alone, so that typed text does not wait for the rest. */
  #paintCursorRow(): number {
    const isInPlace = this.#cursor !== null && this.#cursor.y === this.#cursorRow;
    return isInPlace ? this.#drawn.paintRow(this.#cursorRow) : 0;
  }

  #switchMode(modes: Modes, sequence: string): void {
    this.#modes = modes;
    if (this.#isActive) this.#send(sequence);
  }

  #resize(): void {
    const { columns, rows } = this.#tty;
    if (columns === this.columns && rows === this.rows) return;
    this.#drawn.resize(columns, rows);
    this.#options.onResize?.({ columns, rows });
    this.#ink.emit('resize');
    this.requestFlush();
  }
}
