/** Finds the end of a bracketed paste in a stream of bytes and cleans the text. */
import { cleanInput } from '../text/sanitize.ts';

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

/** @param stopAtStart whether a start mark ends it as well; inside a paste a start mark is text to be removed */
export function createGatherer(stopAtStart: boolean): Gatherer {
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
      const start = stopAtStart ? window.indexOf(startMark) : -1;
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
