/** Reads what should be a file: nothing of another kind is waited for. */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';

/** `message` is a sentence: what lies there instead of a file, or that it is too large. */
export class UnfitFile extends Error {
  override readonly name = 'UnfitFile';
}

/**
 * As a pipe that nobody writes into, or a device, it would keep the program waiting for ever. Errors of the system pass.
 * @param most bytes @param isTrusted what it says decides where tokens go: nobody else may have written it
 * @throws UnfitFile
 */
export function readRegularFile(path: string, most: number, { isTrusted = false } = {}): string {
  const file = openAtOnce(path);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile())
      throw new UnfitFile(`this is a ${stats.isDirectory() ? 'directory' : 'pipe or a device'} and no file`);
    if (isTrusted) refuseForeign(stats);
    if (stats.size > most) throw new UnfitFile(`this is larger than ${most / 1_000_000} MB`);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** Root may do anything anyway. The group of one's own may write, as is usual where every user has one. */
function refuseForeign({ uid, gid, mode }: Stats): void {
  const own = process.geteuid?.();
  if (own === undefined) return;
  if (uid !== own && uid !== 0)
    throw new UnfitFile(`this belongs to another user (uid ${uid}); put a copy of your own in its place`);
  const isOpen = (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== process.getegid?.());
  if (isOpen) throw new UnfitFile('other users can write into this; take that away with chmod go-w');
}

/** For reading; a pipe is opened without a writer, and answers EAGAIN while there is one that has not written. */
export const openAtOnce = (path: string): number => openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
