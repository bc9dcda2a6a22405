/** Reads a file that a command names, whatever kind of file it is. */
import { closeSync, openSync, readSync } from 'node:fs';

const chunkBytes = 65_536;

/**
 * A pipe is read as well, as of `<(…)` in a shell. Returns null for more bytes than `most`: a device such as `/dev/zero` has
 * no end. Errors of the system are thrown as they are.
 */
export function readAtMost(path: string, most: number): Buffer | null {
  const file = openSync(path, 'r');
  try {
    const parts: Buffer[] = [];
    for (let size = 0; size <= most; ) {
      const part = Buffer.allocUnsafe(chunkBytes);
      const count = readSync(file, part);
      if (count === 0) return Buffer.concat(parts);
      parts.push(part.subarray(0, count));
      size += count;
    }
    return null;
  } finally {
    closeSync(file);
  }
}
