/** A terminal emulator without a window, as the terminal that `Screen` writes to. */
import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import xterm from '@xterm/headless';
import type { TtyPort } from '../../../src/terminal/tty-port.ts';

/** The add-on reads its table from the start of a Buffer's memory, so that Buffer must not come out of the shared pool. */
function loadGraphemes(): typeof import('@xterm/addon-unicode-graphemes') {
  const { poolSize } = Buffer;
  Buffer.poolSize = 1;
  try {
    return createRequire(import.meta.url)('@xterm/addon-unicode-graphemes');
  } finally {
    Buffer.poolSize = poolSize;
  }
}

const graphemes = loadGraphemes();

export type Terminal = InstanceType<typeof xterm.Terminal>;

export interface HeadlessTty extends TtyPort {
  readonly terminal: Terminal;
  /** Every chunk written, in order. */
  readonly chunks: string[];
  /** What the terminal answered to questions. */
  readonly replies: string[];
  /** Call and await before looking: the emulator reads asynchronously. */
  settled(): Promise<void>;
  /** Rows without trailing blanks. */
  text(): string[];
  row(y: number): string;
  /** Characters and styles of a row, cell by cell; equal strings look equal. */
  cells(y: number): string;
  cursor(): { x: number; y: number; isVisible: boolean };
  resize(columns: number, rows: number): void;
  /** From now on `write` says "behind" until `drain`. */
  block(): void;
  drain(): void;
  hangUp(): void;
}

export function createTerminal(columns: number, rows: number): Terminal {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 });
  terminal.loadAddon(new graphemes.UnicodeGraphemesAddon());
  return terminal;
}

export function rowText(terminal: Terminal, y: number): string {
  return (terminal.buffer.active.getLine(y)?.translateToString(true, 0, terminal.cols) ?? '').trimEnd();
}

/** One item a cell: characters, width, and the style as far as the emulator reports it. */
export function rowCells(terminal: Terminal, y: number): string {
  const line = terminal.buffer.active.getLine(y);
  const out: string[] = [];
  for (let x = 0; x < terminal.cols; x++) {
    const cell = line?.getCell(x);
    if (cell === undefined) continue;
    const style = [
      cell.getFgColorMode(),
      cell.getFgColor(),
      cell.getBgColorMode(),
      cell.getBgColor(),
      cell.isBold(),
      cell.isDim(),
      cell.isItalic(),
      cell.isUnderline(),
      cell.isInverse(),
      cell.isStrikethrough(),
      cell.isInvisible(),
    ].map(Number);
    const hasStyle = style.some((value) => value !== 0 && value !== -1);
    const chars = cell.getWidth() === 0 ? '' : cell.getChars() || ' ';
    out.push(hasStyle ? `${chars}{${style.join(',')}}` : chars);
  }
  return out.join('|');
}

/** Whether the emulator shows its cursor; it keeps that in its core service alone. */
function isCursorVisible(terminal: Terminal): boolean {
  const core = (terminal as unknown as { _core: { coreService: { isCursorHidden: boolean } } })._core;
  return !core.coreService.isCursorHidden;
}

export function createHeadless(columns = 80, rows = 24): HeadlessTty {
  const terminal = createTerminal(columns, rows);
  const events = new EventEmitter();
  const chunks: string[] = [];
  const replies: string[] = [];
  let isBlocked = false;
  terminal.onData((data) => replies.push(data));
  const put = (chunk: string): void => {
    chunks.push(chunk);
    terminal.write(chunk);
  };
  return {
    terminal,
    chunks,
    replies,
    get columns() {
      return terminal.cols;
    },
    get rows() {
      return terminal.rows;
    },
    write(chunk) {
      put(chunk);
      return !isBlocked;
    },
    writeSync: put,
    on: (event, listener) => void events.on(event, listener),
    settled: () => new Promise((resolve) => terminal.write('', resolve)),
    text: () => Array.from({ length: terminal.rows }, (_, y) => rowText(terminal, y)),
    row: (y) => rowText(terminal, y),
    cells: (y) => rowCells(terminal, y),
    cursor: () => ({
      x: terminal.buffer.active.cursorX,
      y: terminal.buffer.active.cursorY,
      isVisible: isCursorVisible(terminal),
    }),
    resize(nextColumns, nextRows) {
      terminal.resize(nextColumns, nextRows);
      events.emit('resize');
    },
    block() {
      isBlocked = true;
    },
    drain() {
      isBlocked = false;
      events.emit('drain');
    },
    hangUp: () => events.emit('hangup'),
  };
}
