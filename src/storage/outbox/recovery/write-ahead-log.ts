/**
 * Reads the write-ahead log (`outbox.db-wal`) that earlier versions kept beside outbox.db: the log can hold texts that are
 * stored nowhere else, and SQLite silently drops everything after the first damaged frame, or after an emptied database.
 */
import { pageSize } from './database-pages.ts';

export interface LogFacts {
  /** The header or a current frame is damaged: SQLite would lose what was committed after it. */
  readonly isDamaged: boolean;
  /** The newest content of every page in the log, by page number; the content of damaged frames is included. */
  readonly pages: ReadonlyMap<number, Buffer>;
  /** How many pages the database has after the last commit of the log; 0 when the log has no commit. */
  readonly pageCount: number;
}

interface Frame {
  readonly page: number;
  /** The size of the database in pages when the frame ends a transaction, else 0. */
  readonly commitSize: number;
  readonly content: Buffer;
  /** It was written since the log was last restarted, and is not a rest of an earlier use of the file. */
  readonly isCurrent: boolean;
  readonly isValid: boolean;
}

const headerSize = 32;
const frameHeaderSize = 24;
const frameSize = frameHeaderSize + pageSize;

/** https://www.sqlite.org/fileformat2.html §4. A log that only ends too early, as after a power cut, is not damaged. */
export function readLog(log: Buffer): LogFacts {
  const isHeaderValid = log.length >= headerSize && hasValidHeader(log);
  const frames = [...framesOf(log, isHeaderValid)];
  const lastCommit = frames.findLastIndex(({ isCurrent, commitSize }) => isCurrent && commitSize > 0);
  const committed = frames.slice(0, lastCommit + 1);
  const isDamaged =
    committed.some(({ isValid }) => !isValid) ||
    frames.some(({ isCurrent, isValid }) => isCurrent && !isValid) ||
    (committed.length > 0 && !isHeaderValid);
  const pages = new Map<number, Buffer>();
  // A damaged page is used as well, as most of its records are intact; a zeroed one has none.
  for (const { page, content, isValid } of committed)
    if (isValid || (page > 0 && page <= log.length && content.some((byte) => byte !== 0))) pages.set(page, content);
  return { isDamaged, pages, pageCount: frames[lastCommit]?.commitSize ?? 0 };
}

function hasValidHeader(log: Buffer): boolean {
  if (log.readUInt32BE(0) >>> 1 !== 0x377f0682 >>> 1) return false;
  const [first, second] = checksum(isBigEndian(log), [0, 0], log.subarray(0, 24));
  return first === log.readUInt32BE(24) && second === log.readUInt32BE(28);
}

/** The lowest bit of the magic number says in which byte order the checksums were computed. */
const isBigEndian = (log: Buffer): boolean => (log.readUInt32BE(0) & 1) === 1;

/**
 * Every frame is checked against the checksum that is stored in the frame before it, so that one damaged frame does not
 * make all later ones invalid. Frames with other salts were left by an earlier use of the same file. Where the header is
 * damaged, a frame counts when its checksum follows from that of the frame before it, and the salts are the same.
 */
function* framesOf(log: Buffer, isHeaderValid: boolean): Generator<Frame> {
  if (log.length < headerSize + frameSize) return;
  const bigEndian = isHeaderValid && isBigEndian(log);
  let salts = log.subarray(16, 24);
  let stored: readonly [number, number] = [log.readUInt32BE(24), log.readUInt32BE(28)];
  for (let at = headerSize; at + frameSize <= log.length; at += frameSize) {
    const header = log.subarray(at, at + frameHeaderSize);
    const content = log.subarray(at + frameHeaderSize, at + frameSize);
    const sum = checksum(bigEndian, checksum(bigEndian, stored, header.subarray(0, 8)), content);
    stored = [header.readUInt32BE(16), header.readUInt32BE(20)];
    const isOfSalts = header.subarray(8, 16).equals(salts);
    const isValid = isOfSalts && sum[0] === stored[0] && sum[1] === stored[1];
    const isCurrent = isHeaderValid ? isOfSalts : isValid;
    if (!isHeaderValid) salts = header.subarray(8, 16);
    yield { page: header.readUInt32BE(0), commitSize: header.readUInt32BE(4), content, isCurrent, isValid };
  }
}

function checksum(bigEndian: boolean, from: readonly [number, number], bytes: Buffer): readonly [number, number] {
  let [first, second] = from;
  const read = (at: number): number => (bigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at));
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    first = (first + read(at) + second) >>> 0;
    second = (second + read(at + 4) + first) >>> 0;
  }
  return [first, second];
}
