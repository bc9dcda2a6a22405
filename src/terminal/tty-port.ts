/** The terminal as `Screen` sees it: something to write to that has a size; production wraps `process.stdout`. */
import { closeSync, writeSync } from 'node:fs';

export interface TtyPort {
  readonly columns: number;
  readonly rows: number;
  /** @returns false when the terminal is behind and the caller must wait for `drain` */
  write(chunk: string): boolean;
  /** Blocks until written; for the way out, when the event loop may not turn again. Never throws. */
  writeSync(chunk: string): void;
  /** `hangup`: nobody reads any more (EPIPE, EIO, ENXIO). Answers how to stop listening. */
  on(event: 'resize' | 'drain' | 'hangup', listener: () => void): () => void;
}

/**
 * A pseudo-terminal takes a few kilobytes at a time, and whoever reads it needs a moment for each. A frame is pushed after
 * it for so long: its end would else wait for whatever the loop does next.
 */
const pushedForMs = 2;
const pushPauseMs = 0.1;
/** After that a terminal that is behind is tried again and again, ever more seldom. */
const firstPauseMs = 1;
const longestPauseMs = 50;
/**
 * A line that hangs, or a multiplexer on a busy machine, is waited for so long on the way out: a terminal that is not given
 * back cannot be used, and all that was to be saved is. Longer, and the program would seem to hang itself.
 */
const givenBackMs = 5_000;
/** A size that a terminal without one (0×0, serial lines) is taken to have. */
const fallbackSize = { columns: 80, rows: 24 };
/** Of a larger one the upper left part is used: a frame is no longer than what a string and the memory can hold. */
const largestSize = { columns: 2_000, rows: 600 };
const hangups: ReadonlySet<string> = new Set(['EPIPE', 'EIO', 'ENXIO', 'EBADF', 'ECONNRESET', 'ERR_STREAM_DESTROYED']);

/** @param stream normally `process.stdout` */
export function ttyOf(stream: NodeJS.WriteStream & { readonly fd: number }): TtyPort {
  const hangupListeners = new Set<() => void>();
  const drainListeners = new Set<() => void>();
  /** What the terminal has not taken yet; not with the stream, which would go on with it behind the last words. */
  let rest: Buffer | null = null;
  let retry: NodeJS.Timeout | null = null;
  letItBeBehind(stream);
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!hangups.has(error.code ?? '')) throw error;
    for (const listener of hangupListeners) listener();
  });

  const drop = (): void => {
    rest = null;
    if (retry !== null) clearTimeout(retry);
    retry = null;
  };
  /** Writes what can be written; a terminal that is gone is left to the stream, which says so. */
  const takeOn = (bytes: Buffer, forMs: number, pauseMs: number): void => {
    drop();
    const { done, isBehind } = push(stream.fd, bytes, forMs, pushPauseMs);
    if (done === bytes.length) return;
    const left = bytes.subarray(done);
    if (!isBehind) {
      stream.write(left);
      return;
    }
    rest = left;
    const nextMs = done > 0 ? firstPauseMs : Math.min(pauseMs * 2, longestPauseMs);
    retry = setTimeout(() => {
      takeOn(rest ?? left, 0, nextMs);
      if (rest === null) for (const listener of drainListeners) listener();
    }, pauseMs);
  };

  return {
    get columns() {
      return stream.columns > 0 ? Math.min(stream.columns, largestSize.columns) : fallbackSize.columns;
    },
    get rows() {
      return stream.rows > 0 ? Math.min(stream.rows, largestSize.rows) : fallbackSize.rows;
    },
    write(chunk) {
      if (stream.writableLength !== 0 || process.platform === 'win32') return stream.write(chunk);
      const bytes = Buffer.from(chunk);
      if (rest !== null) rest = Buffer.concat([rest, bytes]);
      else takeOn(bytes, pushedForMs, firstPauseMs);
      return rest === null;
    },
    writeSync(chunk) {
      drop();
      writeAll(stream.fd, chunk, givenBackMs);
    },
    on(event, listener) {
      if (event === 'hangup') {
        hangupListeners.add(listener);
        return () => hangupListeners.delete(listener);
      }
      if (event === 'drain') drainListeners.add(listener);
      stream.on(event, listener);
      return () => {
        drainListeners.delete(listener);
        stream.off(event, listener);
      };
    },
  };
}

/**
 * Node makes a terminal blocking: one that does not read (a line that hangs, a multiplexer that is stopped) would hold up
 * everything, drafts and signals, too. Then `write` answers false and `drain` comes when it reads again.
 */
function letItBeBehind(stream: NodeJS.WriteStream): void {
  const { _handle: handle } = stream as { readonly _handle?: { setBlocking?(isBlocking: boolean): unknown } };
  if (process.platform !== 'win32') handle?.setBlocking?.(false);
}

/**
 * Last words on stderr. Node's stream opens the terminal once more for its first text, which fails where no file can be
 * opened; this needs none.
 */
export const writeLastWords = (text: string): void => writeAll(2, text, 1_000);

/**
 * To be called last: Node sets the terminal back as it ends, and aborts, with a dump of its memory, where that terminal is
 * no longer there. It passes over what is closed.
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

/** What a terminal has not taken by then is lost. */
const writeAll = (fd: number, chunk: string, forMs: number): void => void push(fd, Buffer.from(chunk), forMs, 10);

/** Tries again on EAGAIN, because a terminal may be non-blocking and slow; gives up on other errors. */
function push(fd: number, bytes: Buffer, forMs: number, pauseMs: number): { done: number; isBehind: boolean } {
  let done = 0;
  let until: number | null = null;
  while (done < bytes.length) {
    try {
      done += writeSync(fd, bytes, done);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return { done, isBehind: false };
      // Most writes are taken at once, and ask for no time.
      until ??= performance.now() + forMs;
      if (performance.now() > until) return { done, isBehind: true };
      Atomics.wait(clock, 0, 0, pauseMs);
    }
  }
  return { done, isBehind: false };
}

/** Pauses without the event loop: nothing ever wakes this wait. */
const clock = new Int32Array(new SharedArrayBuffer(4));
