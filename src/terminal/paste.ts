/** Finds the end of a bracketed paste in a stream of bytes and cleans the text. */
import { StringDecoder } from 'node:string_decoder';
import { cleanInput } from '../text/safe/sanitize.ts';

const endMark = Buffer.from('\x1b[201~');
const startMark = Buffer.from('\x1b[200~');

export interface MarkFound {
  /** Bytes before the mark. */
  readonly before: Buffer;
  readonly mark: 'start' | 'end';
  /** Bytes of the last chunk behind the mark. */
  readonly rest: Buffer;
}

/** Gathers chunks until a mark has come, however it is split; time and memory linear in the bytes. */
export interface Gatherer {
  /** null: no mark yet, the chunk is kept. */
  add(chunk: Buffer): MarkFound | null;
  /** Gives back everything kept and starts anew. */
  take(): Buffer;
  readonly length: number;
}

export function createGatherer(): Gatherer {
  let chunks: Buffer[] = [];
  let length = 0;
  /** The last bytes, which may be the beginning of a mark. */
  let tail: Buffer = Buffer.alloc(0);

  const take = (): Buffer => {
    const all = Buffer.concat(chunks);
    chunks = [];
    length = 0;
    tail = Buffer.alloc(0);
    return all;
  };

  return {
    take,
    get length() {
      return length;
    },
    add(chunk) {
      const window = Buffer.concat([tail, chunk]);
      const end = window.indexOf(endMark);
      const start = window.indexOf(startMark);
      chunks.push(chunk);
      length += chunk.length;
      if (end < 0 && start < 0) {
        tail = Buffer.from(window.subarray(Math.max(0, window.length - endMark.length + 1)));
        return null;
      }
      const isStart = start >= 0 && (end < 0 || start < end);
      const at = length - window.length + (isStart ? start : end);
      const all = take();
      return { before: all.subarray(0, at), mark: isStart ? 'start' : 'end', rest: all.subarray(at + endMark.length) };
    },
  };
}

/** Of a paste that has begun: its text, decoded and cleaned as it comes, so that its end is no more work than a chunk. */
export interface PasteReader {
  /** null: no end mark yet. */
  add(chunk: Buffer): { readonly text: string; readonly rest: Buffer } | null;
  /** Gives back the text so far and starts anew. */
  take(): string;
  /** Gives back the text so far and goes on; half a character, half a mark and half a line end stay. */
  drain(): string;
  /** Bytes so far. */
  readonly length: number;
}

export function createPasteReader(): PasteReader {
  const keep = endMark.length - 1;
  let decoder = new StringDecoder('utf8');
  let pieces: string[] = [];
  let length = 0;
  /** The last bytes, which may be the beginning of the mark. */
  let held: Buffer = Buffer.alloc(0);
  /** A carriage return at the end of a piece: what follows tells whether it is a newline of its own. */
  let carried = '';
  /** Marks may be in it, however they are split: it is cleaned as a whole in the end. */
  let hasEscape = false;
  /** The last text given back ended with a carriage return: its line feed may follow. */
  let isInLineEnd = false;

  const put = (added: string): void => {
    const text = isInLineEnd && added.startsWith('\n') ? added.slice(1) : added;
    isInLineEnd &&= added === '';
    hasEscape ||= text.includes('\x1b');
    const piece = carried + text;
    carried = !hasEscape && piece.endsWith('\r') ? '\r' : '';
    const whole = carried === '' ? piece : piece.slice(0, -1);
    pieces.push(hasEscape ? whole : cleanInput(whole));
  };
  const textSoFar = (): string => {
    const text = pieces.join('') + (carried === '' ? '' : '\n');
    if (text !== '') isInLineEnd = carried !== '' || text.endsWith('\r');
    const clean = hasEscape ? cleanInput(withoutMarks(text)) : text;
    pieces = [];
    length = held.length;
    carried = '';
    hasEscape = false;
    return clean;
  };
  const finish = (last: Buffer): string => {
    put(decoder.write(last) + decoder.end());
    decoder = new StringDecoder('utf8');
    held = Buffer.alloc(0);
    const text = textSoFar();
    isInLineEnd = false;
    return text;
  };

  return {
    take: () => finish(held),
    drain() {
      const at = held.lastIndexOf(endMark.subarray(0, 1));
      const last = held.subarray(at);
      const isMark = at >= 0 && [startMark, endMark].some((mark) => mark.subarray(0, last.length).equals(last));
      put(decoder.write(isMark ? held.subarray(0, at) : held));
      held = isMark ? last : Buffer.alloc(0);
      return textSoFar();
    },
    get length() {
      return length;
    },
    add(chunk) {
      const window = Buffer.concat([held, chunk]);
      length += chunk.length;
      const at = window.indexOf(endMark);
      if (at >= 0) return { text: finish(window.subarray(0, at)), rest: window.subarray(at + endMark.length) };
      const whole = Math.max(0, window.length - keep);
      put(decoder.write(window.subarray(0, whole)));
      held = Buffer.from(window.subarray(whole));
      return null;
    },
  };
}

/** Newlines as LF, marks and controls removed until none is left, however they are nested. */
export function cleanPaste(bytes: Buffer): string {
  return cleanInput(withoutMarks(bytes.toString('utf8')));
}

/** Each removal may make a new mark of what stood around it; taking marks off the end while copying finds them all in one pass. */
function withoutMarks(text: string): string {
  if (!text.includes('\x1b[20')) return text;
  const out: string[] = [];
  for (const unit of text.split('')) {
    out.push(unit);
    if (unit === '~' && /^\x1b\[20[01]~$/.test(out.slice(-6).join(''))) out.length -= 6;
  }
  return out.join('');
}
