/** Reads regular files only. */
import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';

/** `message` is a sentence: what is there instead of a file, or why it cannot be used. */
export class UnfitFile extends Error {
  override readonly name = 'UnfitFile';
}

/**
 * Refuses a pipe or a device, which could keep the program waiting for ever. Errors of the system are thrown as they are.
 * @param most the most bytes that the file may have
 * @param isTrusted the file decides where tokens are sent, so nobody else may own it or be able to write it
 * @throws UnfitFile
 */
export function readRegularFile(path: string, most: number, { isTrusted = false } = {}): string {
  const file = openAtOnce(path);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile())
      throw new UnfitFile(`this is a ${stats.isDirectory() ? 'directory' : 'pipe or a device'} and no file`);
    if (isTrusted) refuseForeign(stats);
    if (stats.size > most) throw new UnfitFile(`this is larger than ${sizeText(most)}`);
    const bytes = readFileSync(file);
    // Otherwise letters in another encoding would be read as U+FFFD, and be sent or written back as that.
    if (!isUtf8(bytes)) throw new UnfitFile('this is not UTF-8; save it as UTF-8');
    return bytes.toString('utf8');
  } finally {
    closeSync(file);
  }
}

const sizeText = (bytes: number): string => (bytes < 1_000_000 ? `${bytes / 1000} kB` : `${bytes / 1_000_000} MB`);

/** Root may own the file. The user's own group may write it, as is usual where every user has a group. */
function refuseForeign({ uid, gid, mode }: Stats): void {
  const own = process.geteuid?.();
  if (own === undefined) return;
  if (uid !== own && uid !== 0)
    throw new UnfitFile(`this belongs to another user (uid ${uid}); put a copy of your own in its place`);
  const isOpen = (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== process.getegid?.());
  if (isOpen) throw new UnfitFile('other users can write to this file; run chmod go-w on it');
}

/** Opens for reading without waiting for the writer of a pipe; a read fails with EAGAIN until it has written. */
export const openAtOnce = (path: string): number => openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
