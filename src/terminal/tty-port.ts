/** Writes to the terminal for `Screen`, reports its size, and writes the last text and closes it when the program ends. */
import { closeSync, writeSync } from 'node:fs';
import { blockFor } from './idle-timer.ts';

export interface TtyPort {
  readonly columns: number;
  readonly rows: number;
  /** @returns false when the terminal has not taken all of it and the caller must wait for `drain` */
  write(chunk: string): boolean;
  /** Blocks until all is written, for exits, in which the event loop may not turn again. Never throws. */
  writeSync(chunk: string): void;
  /** `hangup` means that nobody reads any more (EPIPE, EIO, ENXIO). */
  on(event: 'resize' | 'drain' | 'hangup', listener: () => void): void;
}

/**
 * The time for which a write waits for the reader of a pseudo-terminal, which takes a few kilobytes at a time. The rest of
 * the frame would otherwise wait for whatever the event loop does next.
 */
const pushedForMs = 2;
const pushPauseMs = 0.1;
/** The first pause after which a slow terminal is tried again; later pauses are longer. */
const firstPauseMs = 1;
const longestPauseMs = 50;
/**
 * The time for which an exit waits for a line that hangs or a multiplexer on a busy machine, because a terminal that is
 * not given back cannot be used. By then everything is saved. With a longer wait the program itself would seem to hang.
 */
const givenBackMs = 5_000;
/** The size that is assumed for a terminal that reports none (0×0, on serial lines). */
const fallbackSize = { columns: 80, rows: 24 };
/** The largest size that is used, which limits the memory of a frame; a larger terminal shows it at its upper left. */
const largestSize = { columns: 2_000, rows: 600 };
const hangups: ReadonlySet<string> = new Set(['EPIPE', 'EIO', 'ENXIO', 'EBADF', 'ECONNRESET', 'ERR_STREAM_DESTROYED']);

type Stream = NodeJS.WriteStream & { readonly fd: number };

/** A terminal behind a stream of Node, normally `process.stdout`. */
export class StreamTty implements TtyPort {
  readonly #stream: Stream;
  readonly #hangupListeners = new Set<() => void>();
  readonly #drainListeners = new Set<() => void>();
  /** The bytes that the terminal has not taken yet. The stream would write them after the text of an exit. */
  #rest: Buffer | null = null;
  #retry: NodeJS.Timeout | null = null;

  constructor(stream: Stream) {
    this.#stream = stream;
    makeNonBlocking(stream);
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!hangups.has(error.code ?? '')) throw error;
      for (const listener of this.#hangupListeners) listener();
    });
  }

  get columns(): number {
    const { columns } = this.#stream;
    return columns > 0 ? Math.min(columns, largestSize.columns) : fallbackSize.columns;
  }

  get rows(): number {
    const { rows } = this.#stream;
    return rows > 0 ? Math.min(rows, largestSize.rows) : fallbackSize.rows;
  }

  write(chunk: string): boolean {
    if (this.#stream.writableLength !== 0 || process.platform === 'win32') return this.#stream.write(chunk);
    const bytes = Buffer.from(chunk);
    if (this.#rest !== null) this.#rest = Buffer.concat([this.#rest, bytes]);
    else this.#push(bytes, pushedForMs, firstPauseMs);
    return this.#rest === null;
  }

  writeSync(chunk: string): void {
    this.#drop();
    writeAll(this.#stream.fd, chunk, givenBackMs);
  }

  on(event: 'resize' | 'drain' | 'hangup', listener: () => void): void {
    if (event === 'hangup') {
      this.#hangupListeners.add(listener);
      return;
    }
    if (event === 'drain') this.#drainListeners.add(listener);
    this.#stream.on(event, listener);
  }

  #drop(): void {
    this.#rest = null;
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = null;
  }

  /** Writes what can be written. When the terminal is gone, the stream gets the bytes and reports the error. */
  #push(bytes: Buffer, forMs: number, pauseMs: number): void {
    this.#drop();
    const { done, isBehind } = push(this.#stream.fd, bytes, forMs, pushPauseMs);
    if (done === bytes.length) return;
    const left = bytes.subarray(done);
    if (!isBehind) {
      this.#stream.write(left);
      return;
    }
    this.#rest = left;
    const nextMs = done > 0 ? firstPauseMs : Math.min(pauseMs * 2, longestPauseMs);
    this.#retry = setTimeout(() => {
      this.#push(this.#rest ?? left, 0, nextMs);
      if (this.#rest === null) for (const listener of this.#drainListeners) listener();
    }, pauseMs);
  }
}

/**
 * Makes the terminal non-blocking, which Node leaves blocking. A terminal that is not read (a line that hangs, a
 * stopped multiplexer) would otherwise hold up everything, drafts and signals too.
 */
function makeNonBlocking(stream: NodeJS.WriteStream): void {
  const { _handle: handle } = stream as { readonly _handle?: { setBlocking?(isBlocking: boolean): unknown } };
  if (process.platform !== 'win32') handle?.setBlocking?.(false);
}

/**
 * Writes to stderr before the program ends. Node's stream would open the terminal once more for its first text, which
 * fails where no file can be opened.
 */
export const writeBeforeExit = (text: string): void => writeAll(2, text, 1_000);

/**
 * Call this last. As it ends, Node sets the terminal back, and aborts with a memory dump where the terminal is gone. It
 * leaves out what is closed.
 */
export function closeLostTerminals(): void {
  for (const fd of [0, 1, 2]) {
    try {
      writeSync(fd, '');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EIO') closeSync(fd);
    }
  }
}

/** Writes for at most that time; what the terminal has not taken by then is lost. */
const writeAll = (fd: number, chunk: string, forMs: number): void => void push(fd, Buffer.from(chunk), forMs, 10);

/** Writes, and tries again on EAGAIN, because a terminal may be slow. Any other error ends the write. */
function push(fd: number, bytes: Buffer, forMs: number, pauseMs: number): { done: number; isBehind: boolean } {
  let done = 0;
  let until: number | null = null;
  while (done < bytes.length) {
    try {
      done += writeSync(fd, bytes, done);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return { done, isBehind: false };
      // The clock is asked only here, because most writes are taken at once.
      until ??= performance.now() + forMs;
      if (performance.now() > until) return { done, isBehind: true };
      blockFor(pauseMs);
    }
  }
  return { done, isBehind: false };
}
