/** Composes layers into frames and writes the difference to the terminal, one write a frame. */
import { cutRow, emptyRow, type Row, type Span, type Target, targetAt } from '../text/layout/row.ts';
import { createEcho } from './echo.ts';
import { InkStream } from './ink-stream.ts';
import { createLayerStack, type Layer, type Lifted, type Rect } from './layer.ts';
import {
  cursorHide,
  cursorShow,
  enterSequence,
  kittySequence,
  leaveSequence,
  mouseSequence,
  syncBegin,
  syncEnd,
} from './modes.ts';
import { type Cell, createPen } from './pen.ts';
import { type Change, changeBetween, wholeChange, withSpill } from './row-diff.ts';
import type { TtyPort } from './tty-port.ts';

export type { Cell, Layer, Lifted, Rect };

export interface ScreenOptions {
  readonly tty: TtyPort;
  /** Whether the mouse reports from the start; `setMouse` switches. */
  readonly mouse?: boolean;
  /** False: nothing but ASCII is written, whatever the rows hold. */
  readonly isUtf8?: boolean;
  /** Questions to the terminal, sent once behind the first frame; see `capabilities.ts`. */
  readonly queries?: string;
  /** When a frame asked for by `requestFlush` is made; a microtask unless told otherwise. */
  readonly schedule?: (flush: () => void) => void;
  /** The new size; rows that the listener sets are in the repaint. */
  readonly onResize?: (size: { readonly columns: number; readonly rows: number }) => void;
  readonly onHangup?: () => void;
}

export interface ScreenStats {
  readonly frames: number;
  readonly bytes: number;
  readonly rowsPainted: number;
}

export interface Screen {
  readonly columns: number;
  readonly rows: number;
  readonly stats: ScreenStats;
  /** An opaque rectangle; changes show at the next frame, which they ask for. */
  addLayer(options: { readonly rect: Rect; readonly z: number }): Layer;
  /** Shows a rectangle of Ink's frame, which lies below all layers, at `z`. */
  lift(rect: Rect, z: number): Lifted;
  inkStream(): NodeJS.WriteStream;
  /** Where the real cursor stands; null hides it. */
  setCursor(cell: Cell | null): void;
  /**
   * Shows a character of one column at the cursor at once. `keepEcho` or `flush` has to follow in the same turn: the one
   * where it is right, the other to compare it with what the layers show.
   * @returns false, with nothing shown, while a frame is waiting or no cursor is shown
   */
  echo(character: Span): boolean;
  /** @param draw sets the rows that were echoed into; called once, before the next frame is composed */
  keepEcho(draw: () => void): void;
  /** Paints now what has changed: one write, or none. */
  flush(): void;
  requestFlush(): void;
  /** Paints everything again over what stands there. */
  redraw(): void;
  /** Takes the terminal over, in the same write as the first frame. */
  enter(): void;
  /** Gives the terminal back; synchronous, idempotent, fit for exit handlers. */
  leave(): void;
  setMouse(on: boolean): void;
  /** The target of the span that stands at a cell; null where there is none. */
  targetAt(x: number, y: number): Target | null;
  /** Call with true when the terminal has answered the kitty keyboard query. */
  setKittyKeyboard(on: boolean): void;
  /** Writes bytes that draw nothing and leave the cursor (bell, notification, clipboard, title). */
  writeControl(bytes: string): void;
  /** Stops listening to the terminal. */
  dispose(): void;
}

/** A frame of one row and at most this many bytes needs no marks: no terminal can show half of it. */
const tinyFrame = 40;

export function createScreen(options: ScreenOptions): Screen {
  const { tty } = options;
  const schedule = options.schedule ?? queueMicrotask;
  let columns = tty.columns;
  let rows = tty.rows;
  /** What is on the terminal; null: unknown. */
  let shown: (Row | null)[] = new Array(rows).fill(null);
  let dirty = new Uint8Array(rows).fill(1);
  let isDirty = true;
  let isActive = false;
  let isBlocked = false;
  let isFlushAsked = false;
  let hasAsked = false;
  let prologue = '';
  let wanted: Cell | null = null;
  /** On the terminal, and not yet in `shown`. */
  const echoed = createEcho();
  let drawEchoed: (() => void) | null = null;
  let isCursorShown = false;
  let modes = { mouse: options.mouse ?? false, kitty: false };
  const stats = { frames: 0, bytes: 0, rowsPainted: 0 };
  const pen = createPen(() => columns, options.isUtf8);

  const requestFlush = (): void => {
    if (isFlushAsked || !isActive) return;
    isFlushAsked = true;
    schedule(() => {
      if (isFlushAsked) flush();
    });
  };

  const markDirty = (from: number, to: number): void => {
    dirty.fill(1, Math.max(0, from), Math.max(0, to));
    isDirty = true;
    requestFlush();
  };

  const layers = createLayerStack(markDirty);
  const ink = new InkStream(() => ({ columns, rows }), layers.setBase);

  const forget = (): void => {
    shown = new Array(rows).fill(null);
    dirty = new Uint8Array(rows).fill(1);
    isDirty = true;
    pen.forget();
    echoed.forget();
  };

  const touch = (y: number): void => {
    dirty[y] = 1;
    isDirty = true;
  };

  const echo = (character: Span): boolean => {
    if (!isActive || isBlocked || isDirty || !isCursorShown || wanted === null) return false;
    const { x, y } = wanted;
    if (x + 1 >= columns || y >= rows || !echoed.append(character, wanted)) return false;
    pen.moveTo(x, y);
    pen.draw(character);
    stats.frames++;
    stats.rowsPainted++;
    send(pen.take());
    touch(y);
    return true;
  };

  const keepEcho = (draw: () => void): void => {
    if (echoed.end === null) return;
    drawEchoed = draw;
    dirty[echoed.end.y] = 0;
    isDirty = false;
    wanted = echoed.end;
  };

  const send = (bytes: string): void => {
    stats.bytes += Buffer.byteLength(bytes);
    if (!tty.write(bytes)) isBlocked = true;
  };

  /** Draws the rows that differ from the terminal. @returns how many there were */
  const paintRows = (): number => {
    let painted = 0;
    const draw = drawEchoed;
    drawEchoed = null;
    draw?.();
    for (let y = 0; y < rows; y++) {
      if (dirty[y] === 0) continue;
      dirty[y] = 0;
      const known = shown[y];
      const before = known ? echoed.over(known, y) : null;
      const after = layers.compose(y, columns);
      const change = before ? changeBetween(before, after) : wholeChange(after, columns);
      shown[y] = after;
      if (echoed.y === y) echoed.forget();
      if (change === null) continue;
      paintChange(after, before ? withSpill(change, after, columns) : change, y);
      painted++;
    }
    isDirty = false;
    return painted;
  };

  const paintChange = (row: Row, { from, to, clearTo }: Change, y: number): void => {
    pen.moveTo(from, y);
    for (const item of to > from ? cutRow(row, from, to) : emptyRow) pen.draw(item);
    pen.blank(clearTo - to, true);
  };

  function flush(): void {
    isFlushAsked = false;
    if (!isActive || isBlocked) return;
    if (echoed.y !== null) touch(echoed.y);
    const painted = isDirty ? paintRows() : 0;
    const cursor = wanted;
    if (cursor !== null) pen.moveTo(Math.min(cursor.x, columns - 1), Math.min(cursor.y, rows - 1));
    let frame = pen.take();
    const isTiny = painted <= 1 && frame.length <= tinyFrame && prologue === '';
    const mustShow = cursor !== null && !isCursorShown;
    const mustHide = isCursorShown && (cursor === null || (frame !== '' && !isTiny));
    if (frame === '' && !mustShow && !mustHide && prologue === '') return;
    if (mustHide) frame = cursorHide + frame;
    if (mustShow || (mustHide && cursor !== null)) frame += cursorShow;
    isCursorShown = cursor !== null;
    if (!isTiny) frame = `${prologue}${syncBegin}${frame}${syncEnd}`;
    if (!hasAsked) frame += options.queries ?? '';
    hasAsked = true;
    prologue = '';
    stats.frames++;
    stats.rowsPainted += painted;
    send(frame);
  }

  const resize = (): void => {
    if (tty.columns === columns && tty.rows === rows) return;
    columns = tty.columns;
    rows = tty.rows;
    forget();
    options.onResize?.({ columns, rows });
    ink.emit('resize');
    requestFlush();
  };

  const removers = [
    tty.on('resize', resize),
    tty.on('drain', () => {
      isBlocked = false;
      flush();
    }),
    tty.on('hangup', () => {
      isActive = false;
      options.onHangup?.();
    }),
  ];

  const switchMode = (next: typeof modes, sequence: string): void => {
    modes = next;
    if (isActive) send(sequence);
  };

  return {
    targetAt: (x, y) => targetAt(shown[y] ?? emptyRow, x),
    get columns() {
      return columns;
    },
    get rows() {
      return rows;
    },
    stats,
    addLayer: ({ rect, z }) => layers.add(rect, z),
    lift: layers.lift,
    inkStream: () => ink as unknown as NodeJS.WriteStream,
    echo,
    keepEcho,
    setCursor(cell) {
      if (cell === wanted || (cell !== null && cell.x === wanted?.x && cell.y === wanted.y)) return;
      wanted = cell;
      requestFlush();
    },
    flush,
    requestFlush,
    redraw() {
      forget();
      requestFlush();
    },
    enter() {
      if (isActive) return;
      isActive = true;
      isBlocked = false;
      resize();
      forget();
      shown.fill(emptyRow);
      pen.home();
      isCursorShown = false;
      prologue = enterSequence(modes);
      requestFlush();
    },
    leave() {
      if (!isActive) return;
      isActive = false;
      tty.writeSync(leaveSequence(modes));
    },
    setMouse(on) {
      if (on !== modes.mouse) switchMode({ ...modes, mouse: on }, mouseSequence(on));
    },
    setKittyKeyboard(on) {
      if (on !== modes.kitty) switchMode({ ...modes, kitty: on }, kittySequence(on));
    },
    writeControl(bytes) {
      if (isActive && bytes !== '') send(bytes);
    },
    dispose() {
      for (const remove of removers) remove();
    },
  };
}
