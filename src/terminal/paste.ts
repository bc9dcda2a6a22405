/** Finds the end of a bracketed paste in a stream of bytes and cleans the text. */
import { StringDecoder } from 'node:string_decoder';
import { cleanInput } from '../text/safe/sanitize.ts';

const endMark = Buffer.from('\x1b[201~');
const startMark = Buffer.from('\x1b[200~');

export interface MarkFound {
  /** The bytes before the mark. */
  readonly before: Buffer;
  readonly mark: 'start' | 'end';
  /** The bytes after the mark. */
  readonly rest: Buffer;
}

/** Gathers chunks until a mark has come, however the chunks split it. Time and memory grow linearly with the bytes. */
export class Gatherer {
  #chunks: Buffer[] = [];
  #length = 0;
  /** The last bytes, in which a mark may begin. */
  #tail: Buffer = Buffer.alloc(0);

  get length(): number {
    return this.#length;
  }

  /** @returns null while no mark has come; the chunk is kept */
  add(chunk: Buffer): MarkFound | null {
    const window = Buffer.concat([this.#tail, chunk]);
    const end = window.indexOf(endMark);
    const start = window.indexOf(startMark);
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (end < 0 && start < 0) {
      this.#tail = Buffer.from(window.subarray(Math.max(0, window.length - endMark.length + 1)));
      return null;
    }
    const isStart = start >= 0 && (end < 0 || start < end);
    const at = this.#length - window.length + (isStart ? start : end);
    const all = this.take();
    return { before: all.subarray(0, at), mark: isStart ? 'start' : 'end', rest: all.subarray(at + endMark.length) };
  }

  /** Returns everything that was kept and starts anew. */
  take(): Buffer {
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#length = 0;
    this.#tail = Buffer.alloc(0);
    return all;
  }
}

/** Decodes and cleans the text of a paste as it arrives, so that the last chunk costs no more than any other. */
export class PasteReader {
  #decoder = new StringDecoder('utf8');
  #pieces: string[] = [];
  #length = 0;
  /** The last bytes, in which the end mark may begin. */
  #held: Buffer = Buffer.alloc(0);
  /** A carriage return that ends a piece: the next character decides whether it is a line end or the half of one. */
  #carried = '';
  /** Whether the text may hold marks, wherever they are split, so that it is cleaned as a whole at the end. */
  #hasEscape = false;
  /** Whether the last returned text ended with a carriage return, whose line feed may follow. */
  #isInLineEnd = false;

  /** How many bytes have come so far. */
  get length(): number {
    return this.#length;
  }

  /** @returns null while the end mark has not come */
  add(chunk: Buffer): { readonly text: string; readonly rest: Buffer } | null {
    const window = Buffer.concat([this.#held, chunk]);
    this.#length += chunk.length;
    const at = window.indexOf(endMark);
    if (at >= 0) return { text: this.#finish(window.subarray(0, at)), rest: window.subarray(at + endMark.length) };
    const whole = Math.max(0, window.length - endMark.length + 1);
    this.#put(this.#decoder.write(window.subarray(0, whole)));
    this.#held = Buffer.from(window.subarray(whole));
    return null;
  }

  /** Returns the text so far and starts anew. */
  take(): string {
    return this.#finish(this.#held);
  }

  /** Returns the text so far and goes on. Half a character, half a mark and half a line end are kept. */
  drain(): string {
    const held = this.#held;
    const at = held.lastIndexOf(endMark.subarray(0, 1));
    const last = held.subarray(at);
    const isMark = at >= 0 && [startMark, endMark].some((mark) => mark.subarray(0, last.length).equals(last));
    this.#put(this.#decoder.write(isMark ? held.subarray(0, at) : held));
    this.#held = isMark ? last : Buffer.alloc(0);
    return this.#textSoFar();
  }

  #put(added: string): void {
    const text = this.#isInLineEnd && added.startsWith('\n') ? added.slice(1) : added;
    this.#isInLineEnd &&= added === '';
    this.#hasEscape ||= text.includes('\x1b');
    const piece = this.#carried + text;
    this.#carried = !this.#hasEscape && piece.endsWith('\r') ? '\r' : '';
    const whole = this.#carried === '' ? piece : piece.slice(0, -1);
    this.#pieces.push(this.#hasEscape ? whole : cleanInput(whole));
  }

  #textSoFar(): string {
    const text = this.#pieces.join('') + (this.#carried === '' ? '' : '\n');
    if (text !== '') this.#isInLineEnd = this.#carried !== '' || text.endsWith('\r');
    const clean = this.#hasEscape ? cleanInput(withoutMarks(text)) : text;
    this.#pieces = [];
    this.#length = this.#held.length;
    this.#carried = '';
    this.#hasEscape = false;
    return clean;
  }

  #finish(last: Buffer): string {
    this.#put(this.#decoder.write(last) + this.#decoder.end());
    this.#decoder = new StringDecoder('utf8');
    this.#held = Buffer.alloc(0);
    const text = this.#textSoFar();
    this.#isInLineEnd = false;
    return text;
  }
}

/** Line ends become LF; marks, reports and controls are removed until none is left, however they are nested. */
export function cleanPaste(bytes: Buffer): string {
  return cleanInput(withoutMarks(bytes.toString('utf8')));
}

/**
 * The marks of a paste, and what the terminal reports by itself or has been asked for, which may come within a paste: its
 * status, the focus, the colour scheme.
 */
const markOrReport = /\x1b\[(?:20[01]~|0n|[IO]|\?997;[12]n)$/;
const longestReport = '\x1b[?997;1n'.length;

/**
 * Removing a mark may join the text around it to another mark. Marks are therefore taken off the end of the copy, which
 * finds all of them in one pass.
 */
function withoutMarks(text: string): string {
  if (!text.includes('\x1b[')) return text;
  const out: string[] = [];
  for (const unit of text.split('')) {
    out.push(unit);
    if (!'~nIO'.includes(unit)) continue;
    out.length -= markOrReport.exec(out.slice(-longestReport).join(''))?.[0].length ?? 0;
  }
  return out.join('');
}
