/** Whether open files are still the ones at their paths, and whole: what goes into a deleted file is gone with the process. */
import { lstatSync } from 'node:fs';
import { StorageError } from './errors.ts';

/**
 * Remembers which files lie at the paths, one that is not there yet when it is first seen. The returned function costs
 * microseconds a file.
 * @returns throws `StorageError` `replaced` when one was deleted, moved or replaced meanwhile
 */
export function rememberFiles(paths: readonly string[]): () => void {
  const known = paths.map(fileAt);
  return () => {
    for (const [index, path] of paths.entries()) {
      const now = fileAt(path);
      known[index] ??= now;
      if (now !== known[index])
        throw new StorageError(
          'replaced',
          'The files of the outbox were deleted or replaced. Copy your words, quit, and start msg-tui again.',
        );
    }
  };
}

/**
 * Remembers how large the database at `path` and its log are. The returned function costs microseconds: SQLite goes on from
 * its memory when a file is emptied beneath it, and only the next start would find nothing.
 * @param isWhole asked when the log has become shorter, which another process does as well when it ends
 * @returns throws `StorageError` `corrupt` when a file was cut off meanwhile
 */
export function rememberSizes(path: string, isWhole: () => boolean): () => void {
  const known = { file: 0, log: 0 };
  return () => {
    const file = sizeOf(path);
    const log = sizeOf(`${path}-wal`);
    // A database is never made smaller by us; one that is not there is a matter of `rememberFiles`.
    const isCut = (file !== null && file < known.file) || (log !== null && log < known.log && !isWhole());
    if (isCut)
      throw new StorageError('corrupt', 'The files of the outbox were cut off; nothing was saved. Copy your words.');
    known.file = file ?? known.file;
    known.log = log ?? known.log;
  };
}

const sizeOf = (path: string): number | null => lstatSync(path, { throwIfNoEntry: false })?.size ?? null;

function fileAt(path: string): string | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.dev}:${stats.ino}`;
}
