/**
 * The stream that Ink gets in the place of stdout. In debug mode each write is a whole frame, which is kept as rows.
 */
import { EventEmitter } from 'node:events';
import type { Row } from '../text/layout/row.ts';
import { rowOfAnsi } from './parse-ansi-row.ts';

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** The part of `NodeJS.WriteStream` that Ink uses. */
export class InkStream extends EventEmitter {
  readonly isTTY = true;
  readonly writable = true;
  readonly #size: Size;
  readonly #onFrame: (rows: readonly Row[]) => void;
  #lines: readonly string[] = [];
  #rows: readonly Row[] = [];
  #frame = '';

  constructor(size: Size, onFrame: (rows: readonly Row[]) => void) {
    super();
    this.#size = size;
    this.#onFrame = onFrame;
    this.setMaxListeners(0);
  }

  get columns(): number {
    return this.#size.columns;
  }

  get rows(): number {
    return this.#size.rows;
  }

  /** Only lines that changed are read again. Cursor switches and blank chunks (unmounting) are no frames. */
  write(chunk: string | Uint8Array, encoding?: unknown, callback?: unknown): boolean {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    if (text !== '' && text !== '\n' && !text.startsWith('\x1b[?') && text !== this.#frame) this.#show(text);
    const done = typeof encoding === 'function' ? encoding : callback;
    if (typeof done === 'function') done();
    return true;
  }

  #show(frame: string): void {
    const lines = frame.split('\n', this.#size.rows);
    this.#rows = lines.map((line, y) => (line === this.#lines[y] ? (this.#rows[y] ?? []) : rowOfAnsi(line)));
    this.#lines = lines;
    this.#frame = frame;
    this.#onFrame(this.#rows);
  }
}
