/** Reads what should be a file: nothing of another kind is waited for. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** `message` is a sentence: what lies there instead of a file, or that it is too large. */
export class UnfitFile extends Error {
  override readonly name = 'UnfitFile';
}

/**
 * As a pipe that nobody writes into, or a device, it would keep the program waiting for ever. Errors of the system pass.
 * @param most bytes @throws UnfitFile
 */
export function readRegularFile(path: string, most: number): string {
  const file = openAtOnce(path);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile())
      throw new UnfitFile(`this is a ${stats.isDirectory() ? 'directory' : 'pipe or a device'} and no file`);
    if (stats.size > most) throw new UnfitFile(`this is larger than ${most / 1_000_000} MB`);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** For reading; a pipe is opened without a writer, and answers EAGAIN while there is one that has not written. */
export const openAtOnce = (path: string): number => openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
